import type { Operation } from '@/lib/foundation/contract/operation';
import { operations } from './operations';

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether every escape in a path is one, and all of them together are UTF-8. */
export const isWellEscaped = (path: string): boolean => !path.includes('%') || decodes(path);

/**
 * Returns an address whose bad escapes are replaced the way browsers show them: bytes that aren't UTF-8 by U+FFFD, and
 * a percent sign that starts no escape by its own escape.
 */
export function repairEscapes(address: string): string {
  return address.replace(/(?:%[0-9a-f]{2})+|%/gi, (escapes) => {
    if (escapes === '%') return '%25';
    if (decodes(escapes)) return escapes;
    return encodeURIComponent(Buffer.from(escapes.replaceAll('%', ''), 'hex').toString());
  });
}

/** Every operation with the pattern of its address, by the first part of the address: none has a parameter there. */
const OPERATIONS = new Map<string, { pattern: RegExp; operation: Operation }[]>();
for (const operation of operations) {
  const first = operation.path.split('/')[1] ?? '';
  const path = operation.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+');
  const declared = { operation, pattern: new RegExp(`^/api/v1${path}/?$`) };
  OPERATIONS.set(first, [...(OPERATIONS.get(first) ?? []), declared]);
}

/** Returns the operations of an address, without its query. */
export function operationsAt(path: string): Operation[] {
  const [, , , first = ''] = path.split('/', 4);
  const candidates = OPERATIONS.get(first) ?? [];
  return candidates.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
}

const declaredMethods = (path: string): string[] => operationsAt(path).map(({ method }) => method);

/** Returns the methods of an address, for the header `Allow`; those of a page where it's no operation's. */
export function allowedMethods(path: string): string {
  const declared = declaredMethods(path);
  const methods = declared.length > 0 ? declared : ['GET'];
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])))].join(
    ', ',
  );
}

/** Returns whether an address belongs to operations, none of which has this method. */
export function lacksMethod(path: string, method: string): boolean {
  const declared = declaredMethods(path);
  if (declared.length === 0 || method === 'OPTIONS') return false;
  return !declared.includes(method === 'HEAD' ? 'GET' : method);
}
