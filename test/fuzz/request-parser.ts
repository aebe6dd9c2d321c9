import type { Operation } from '@/lib/foundation/contract/operation';
import type { InputPart } from './schema-walker';

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string;
  /** With its query, encoded already. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** Returns a part of a request as `endpoint` reads it. @throws Error when it can't be read */
export function parsePart(operation: Operation, part: InputPart, { path, body }: WireRequest): unknown {
  if (part === 'body') {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body ?? '')));
  }
  if (part === 'query') {
    const { searchParams } = new URL(path, 'http://daylight.invalid');
    const values = [...new Set(searchParams.keys())].map(
      (name) => [name, searchParams.getAll(name)] as const,
    );
    return Object.fromEntries(values.map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
  }
  const given = path.split('?')[0]?.split('/').slice(3) ?? [];
  const names = operation.path.split('/').slice(1);
  const params = names.flatMap((name, index) =>
    name.startsWith(':') ? [[name.slice(1), decodeURIComponent(given[index] ?? '')]] : [],
  );
  return Object.fromEntries(params);
}

/** Returns whether the schema takes a request, so that it reaches what the operation does. */
export function isAccepted(operation: Operation, part: InputPart, request: WireRequest): boolean {
  try {
    return operation[part]?.safeParse(parsePart(operation, part, request)).success ?? false;
  } catch {
    return false;
  }
}
