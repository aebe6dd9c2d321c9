import { bigint, boolean, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';
import { entryColumn } from './entries';

/** Multipart uploads. Storage tracks which parts have arrived. */
export const uploads = pgTable(
  'uploads',
  {
    entryId: entryColumn().primaryKey(),
    userId: ownerColumn(),
    /** Chosen by the browser, so that a repeated request doesn't reserve twice. */
    clientId: uuid('client_id').notNull(),
    /** Storage's id for the multipart upload; null before the first part, and after storage has lost it. */
    multipartId: text('multipart_id'),
    /** Whether the ETags of this multipart upload's parts are known to be MD5s; in encrypted buckets they aren't. */
    etagsAreMd5: boolean('etags_are_md5').notNull().default(false),
    /** Total bytes; null during a recording. */
    size: bigint({ mode: 'number' }),
    /** When the browser last made a request. */
    activeAt: timestamptz('active_at').notNull().defaultNow(),
  },
  (table) => [unique('uploads_client').on(table.userId, table.clientId)],
);

/** The bytes that each part of a multipart upload was last signed for, since a stored part's ETag may not be an MD5. */
export const uploadParts = pgTable(
  'upload_parts',
  {
    entryId: uuid('entry_id')
      .notNull()
      .references(() => uploads.entryId, { onDelete: 'cascade' }),
    /** Counts from 1. */
    number: integer().notNull(),
    /** In bytes. */
    size: integer().notNull(),
    /** In base64, as in Content-MD5 (RFC 1864). */
    md5: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.number] })],
);
