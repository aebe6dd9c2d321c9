import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { moment } from './columns';

export const videoStatus = pgEnum('video_status', ['uploading', 'uploaded', 'processing', 'ready', 'failed']);
export const transcriptStatus = pgEnum('transcript_status', [
  'processing',
  'completed',
  'failed',
  'no_speech',
]);

export const entries = pgTable(
  'entries',
  {
    /** UUIDv7, so that it also orders by creation. */
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    /** The calendar date of the entry, without a time zone. */
    date: date({ mode: 'string' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),

    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes: those reserved while uploading, the object's own afterwards. */
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Milliseconds of video; null until probed. */
    durationMs: integer('duration_ms'),
    width: integer(),
    height: integer(),

    /** When storage was last asked whether an unfinished upload has arrived after all. */
    uploadCheckedAt: moment('upload_checked_at'),

    videoStatus: videoStatus('video_status').notNull().default('uploading'),
    /** A sentence for the person, when failed. */
    videoError: text('video_error'),
    /** Failed only because it's too long for the plan; processed once it fits. Its source is kept until then. */
    heldByPlan: boolean('held_by_plan').notNull().default(false),
    /** Object key of what the player plays; null until there is something to play. */
    videoKey: text('video_key'),
    thumbnailKey: text('thumbnail_key'),
    /** ETag of the uploaded object, without quotes, when the upload was completed; null in rows from before. */
    sourceEtag: text('source_etag'),
    /** When the presigned POST to the uploaded object's key expires; null once that has been dealt with. */
    uploadExpiresAt: moment('upload_expires_at'),

    transcriptStatus: transcriptStatus('transcript_status').notNull().default('processing'),
    transcriptError: text('transcript_error'),
    language: text(),

    /** In the trash since; purged 30 days later. */
    trashedAt: moment('trashed_at'),
  },
  (table) => [
    // Nulls first, as `order by … desc` has them: with the order the wrong way round an index cannot give it.
    index('entries_newest')
      .on(
        table.userId,
        table.date.desc().nullsFirst(),
        table.createdAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
      )
      .where(sql`trashed_at is null and video_status <> 'uploading'`),
    index('entries_usage').on(table.userId).where(sql`trashed_at is null`),
    index('entries_abandoned').on(table.createdAt).where(sql`video_status = 'uploading'`),
    index('entries_held').on(table.userId, table.id).where(sql`held_by_plan and trashed_at is null`),
    index('entries_upload_expires').on(table.uploadExpiresAt).where(sql`upload_expires_at is not null`),
    index('entries_trash').on(table.trashedAt).where(sql`trashed_at is not null`),
  ],
);

/** A word as it is kept: text, start and end in seconds, and how sure a machine was of it (0 to 1), where it said. */
export type StoredWord = [word: string, start: number, end: number, confidence?: number];

/** Every state of a transcript: revision 0 is the machine's original, each later one an edit. */
export const transcripts = pgTable(
  'transcripts',
  {
    entryId: uuid('entry_id')
      .notNull()
      .references(() => entries.id, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    words: jsonb().$type<StoredWord[]>().notNull(),
    /** The engine gave times for segments only; those of the words are interpolated. */
    estimated: boolean().notNull().default(false),
    engine: text(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.revision] })],
);

/** What the speech service heard in one part of the audio, kept until all parts make the transcript. */
export const transcriptParts = pgTable(
  'transcript_parts',
  {
    entryId: uuid('entry_id')
      .notNull()
      .references(() => entries.id, { onDelete: 'cascade' }),
    /** Counts from 0. */
    part: integer().notNull(),
    /** Times are from the start of the video. */
    words: jsonb().$type<StoredWord[]>().notNull(),
    language: text(),
    estimated: boolean().notNull(),
    engine: text(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.part] })],
);

export const tags = pgTable(
  'tags',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** `#` and six hex digits. */
    color: text().notNull().default('#FFFFFF'),
  },
  (table) => [uniqueIndex('tags_name').on(table.userId, sql`lower(${table.name})`)],
);

export const entryTags = pgTable(
  'entry_tags',
  {
    entryId: uuid('entry_id')
      .notNull()
      .references(() => entries.id, { onDelete: 'cascade' }),
    tagId: uuid('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.tagId] }), index('entry_tags_tag').on(table.tagId)],
);

export const notes = pgTable(
  'notes',
  {
    id: uuid().primaryKey(),
    entryId: uuid('entry_id')
      .notNull()
      .references(() => entries.id, { onDelete: 'cascade' }),
    text: text().notNull(),
    /** Milliseconds into the video that the note is about; null when it is about all of it. */
    momentMs: integer('moment_ms'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('notes_newest').on(table.entryId, table.createdAt.desc().nullsFirst())],
);
