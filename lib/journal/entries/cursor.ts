import type { z } from 'zod';
import { AppError } from '@/lib/foundation/contract/errors';

/** Returns a cursor, which is opaque to clients: base64url of JSON. */
export const writeCursor = (parts: unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * Reads a cursor. Clients send it, so the schema must reject everything that the database would.
 * @param name the parameter that it came in
 * @throws AppError `validation_failed`
 */
export function readCursor<T extends z.ZodType>(parts: T, cursor: string, name = 'cursor'): z.output<T> {
  try {
    return parts.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    const message = 'This page of results is no longer available. Start again from the first page.';
    throw new AppError('validation_failed', { message, fields: { [name]: message }, cause });
  }
}
