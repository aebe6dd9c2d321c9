import type { Operation } from '@/lib/foundation/contract/operation';
import { INPUT_PARTS, schemaOf } from './schema-walker';

/** What a validator, a driver or a runtime says to developers. */
const DEVELOPER_MESSAGE =
  /invalid (input|option|key|element|string|number|type|iso|uuid|url)|expected|received|too (big|small):|unrecognized|zod|must match|pattern|failed query|syntax|violates|constraint|ECONN|\[object|undefined|\bnull\b|\bNaN\b|JSON/i;

/** Returns whether a message is for people. */
export const isUserMessage = (text: string): boolean =>
  /^["“A-Z].*[.?!]$/s.test(text) && !DEVELOPER_MESSAGE.test(text);

/** Returns the names that an error may give to what is wrong. */
export function inputNames(operation: Operation): Set<string> {
  const schemas = INPUT_PARTS.flatMap((part) => operation[part] ?? []).map(schemaOf);
  const objects = schemas.flatMap((schema) => [schema, ...(schema.anyOf ?? [])]);
  // The body as a whole, where none of its names is at fault.
  return new Set(['body', ...objects.flatMap((schema) => Object.keys(schema.properties ?? {}))]);
}
