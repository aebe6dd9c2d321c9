import { z } from 'zod';
import { AppError } from '@/lib/foundation/contract/errors';
import { id as entryId } from '@/lib/foundation/contract/fields';
import { isoDay } from './date-fields';

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

/** An entry's place in the list. */
export interface Cursor {
  date: string;
  createdAt: string;
  id: string;
}

/** The parts of a {@link Cursor}, in order. */
export const placeParts = [
  isoDay,
  // Postgres has no year 0.
  z.iso.datetime().refine((moment) => !moment.startsWith('0000')),
  entryId,
] as const;

/**
 * Reads what {@link writeEntryCursor} wrote.
 * @param name the parameter that it came in
 * @throws AppError `validation_failed`
 */
export function readEntryCursor(cursor: string, name?: string): Cursor {
  const [date, createdAt, id] = readCursor(z.tuple(placeParts), cursor, name);
  return { date, createdAt, id };
}

/** Returns an entry's place in the list, as clients send it back. */
export const writeEntryCursor = (entry: { date: string; createdAt: Date; id: string }): string =>
  writeCursor([entry.date, entry.createdAt.toISOString(), entry.id]);
