import {
  bigint,
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';
import { entryColumn } from './entries';

export const exportStatus = pgEnum('export_status', ['preparing', 'ready', 'failed']);

/** Archives of a journal, or of parts of it. Each is one object in storage once it's ready. */
export const exports = pgTable(
  'exports',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    status: exportStatus().notNull().default('preparing'),
    /** If failed, a sentence for the user. */
    error: text(),
    /** The entries to include; null if it isn't a selection. */
    entryIds: uuid('entry_ids').array(),
    /** The years to include, both null for all of them. */
    fromYear: integer('from_year'),
    toYear: integer('to_year'),
    /** The name to download it under. */
    fileName: text('file_name').notNull(),
    /** Whether to email its owner when it's ready. */
    notify: boolean().notNull(),
    /** The archive's size; null until it's laid out. */
    bytes: bigint({ mode: 'number' }),
    /** How much is done, 0 to 1,000, over all steps. */
    progress: integer().notNull().default(0),
    /** Names the layout, and the archive that's assembled from it; null until it's laid out. */
    layoutId: uuid('layout_id'),
    /** Storage's id for the upload of the archive; null before and after. */
    multipartId: text('multipart_id'),
    /** Carried by the event that started the run. Runs of an earlier generation stop. */
    generation: integer().notNull().default(1),
    /** When its run was last heard from. */
    beatAt: timestamptz('beat_at').notNull().defaultNow(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** When it's deleted; null until it's ready or failed. */
    expiresAt: timestamptz('expires_at'),
  },
  (table) => [
    index('exports_user').on(table.userId, table.createdAt),
    index('exports_expires').on(table.expiresAt),
    index('exports_beat').on(table.beatAt),
  ],
);

/** Checksums of an entry's files, for archives and to recognize a video that's imported again. */
export const entryFiles = pgTable(
  'entry_files',
  {
    entryId: entryColumn(),
    name: text({ enum: ['source', 'video.mp4'] }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** In hex. */
    sha256: text().notNull(),
    /** As in a ZIP file (APPNOTE.TXT 6.3.10, 4.4.7). */
    crc32: bigint({ mode: 'number' }).notNull(),
    /** Whether browsers play it from a disk as it is; null if that isn't known. */
    playable: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.entryId, table.name] }),
    index('entry_files_sha256').on(table.sha256),
  ],
);
