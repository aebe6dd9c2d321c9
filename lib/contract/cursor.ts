import type { z } from 'zod';
import { AppError } from './errors';

/**
 * Makes the cursors of a list: what its order goes by, as base64url of JSON. A cursor comes back from a client, so
 * each part is checked again; the schema has to refuse everything that the database would.
 */
export function createCursorCodec<Parts extends z.ZodType>(parts: Parts) {
  return {
    write: (values: z.input<Parts>): string => Buffer.from(JSON.stringify(values)).toString('base64url'),
    /** @throws AppError `validation_failed` */
    read(cursor: string): z.output<Parts> {
      try {
        return parts.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
      } catch (cause) {
        const message = 'This page of results is no longer available. Start again from the first page.';
        throw new AppError('validation_failed', { message, fields: { cursor: message }, cause });
      }
    },
  };
}
