import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';
import { imports } from './imports';

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
    /** UUIDv7, so ids sort by creation. */
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    title: text().notNull(),
    /** The entry's calendar date, without a time zone. */
    date: date({ mode: 'string' }).notNull(),
    /** The question that it answers; null if there's none. */
    question: text(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),

    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes reserved while uploading, then the object's size. */
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Milliseconds of video; null until probed. */
    durationMs: integer('duration_ms'),
    width: integer(),
    height: integer(),

    /** When we last asked storage whether an unfinished upload had arrived. */
    uploadCheckedAt: timestamptz('upload_checked_at'),

    videoStatus: videoStatus('video_status').notNull().default('uploading'),
    /** If failed, a sentence for the user. */
    videoError: text('video_error'),
    /** If the video plays without its sound, a sentence for the user that says why. */
    soundError: text('sound_error'),
    /** Failed only because it's too long for the plan. Its source stays until the video fits and is processed. */
    heldByPlan: boolean('held_by_plan').notNull().default(false),
    /** The object key of the video that the player plays; null until there is one. */
    videoKey: text('video_key'),
    /** Tells what's stored under that key from what was before, in its address; null for older videos and first copies. */
    videoVersion: text('video_version'),
    /**
     * The revision of the processing that made the video, refused it, or found nothing to improve; null for videos from
     * before there were any.
     */
    videoRevision: smallint('video_revision'),
    /**
     * The upload isn't kept beside the video, which is the same file or has all of its packets. `bytes` and `sourceEtag`
     * are the video's.
     */
    storedOnce: boolean('stored_once').notNull().default(false),
    /** Tells the small version of that video from former ones, in its address; null if there's none. */
    smallVersion: text('small_version'),
    thumbnailKey: text('thumbnail_key'),
    /** The uploaded object's ETag, without quotes, when the upload completed; null in older rows. */
    sourceEtag: text('source_etag'),
    /**
     * When the presigned POST for the uploaded object's key expires; null once the object has been checked after
     * that.
     */
    uploadExpiresAt: timestamptz('upload_expires_at'),

    transcriptStatus: transcriptStatus('transcript_status').notNull().default('processing'),
    transcriptError: text('transcript_error'),
    /** How much of the audio has been transcribed, 0 to 1; null unless a transcription is running. */
    transcriptProgress: real('transcript_progress'),
    language: text(),
    /** The newest revision that the vocabulary has learned from; null before the first correction. */
    learnedRevision: integer('learned_revision'),

    /** When it moved to the trash; purged 30 days later. */
    trashedAt: timestamptz('trashed_at'),

    /** The bytes of all revisions of its transcript, as JSON, and of its notes. Triggers count them. */
    textBytes: bigint('text_bytes', { mode: 'number' }).notNull().default(0),
    /** How many notes it has. Triggers count them. */
    noteCount: integer('note_count').notNull().default(0),
  },
  (table) => [
    // Nulls first, like `order by … desc`: an index in any other order can't be used for it.
    index('entries_newest')
      .on(
        table.userId,
        table.date.desc().nullsFirst(),
        table.createdAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
      )
      .where(sql`trashed_at is null and video_status <> 'uploading'`),
    // Days' minutes are added up in the index alone.
    index('entries_minutes')
      .on(table.userId, table.date, table.durationMs)
      .where(sql`trashed_at is null and video_status <> 'uploading'`),
    index('entries_usage').on(table.userId).where(sql`trashed_at is null`),
    index('entries_abandoned').on(table.createdAt).where(sql`video_status = 'uploading'`),
    index('entries_held').on(table.userId, table.id).where(sql`held_by_plan and trashed_at is null`),
    index('entries_upload_expires').on(table.uploadExpiresAt).where(sql`upload_expires_at is not null`),
    index('entries_unfinished')
      .on(table.id)
      .where(
        sql`trashed_at is null and (video_status in ('uploaded', 'processing') or transcript_status = 'processing')`,
      ),
    index('entries_size')
      .on(table.userId, table.bytes)
      .where(sql`trashed_at is null and video_status <> 'uploading'`),
    index('entries_trash').on(table.trashedAt).where(sql`trashed_at is not null`),
    // An account's text is added up, that of entries in the trash, too.
    index('entries_owner').on(table.userId),
    index('entries_trash_of').on(table.userId, table.trashedAt).where(sql`trashed_at is not null`),
  ],
);

/** The entry that a row belongs to, and is deleted along with. */
export const entryColumn = () =>
  uuid('entry_id')
    .notNull()
    .references(() => entries.id, { onDelete: 'cascade' });

export const tags = pgTable(
  'tags',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    name: text().notNull(),
    /** `#` and six hex digits. */
    color: text().notNull().default('#FFFFFF'),
    /** The import that added it; null if its owner did. */
    importId: uuid('import_id').references(() => imports.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('tags_name').on(table.userId, sql`lower(${table.name})`),
    index('tags_import').on(table.importId).where(sql`import_id is not null`),
  ],
);

export const entryTags = pgTable(
  'entry_tags',
  {
    entryId: entryColumn(),
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
    entryId: entryColumn(),
    text: text().notNull(),
    /** The time in the video that the note is attached to, in milliseconds; null if it's about the whole video. */
    momentMs: integer('moment_ms'),
    /** Chosen by the browser, so that a repeated request doesn't add it twice; null if it chose none. */
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('notes_newest').on(table.entryId, table.createdAt.desc().nullsFirst()),
    unique('notes_client').on(table.entryId, table.clientId),
  ],
);

/** Tags that were deleted lately, so that it can be undone. A cleanup job deletes them permanently. */
export const deletedTags = pgTable(
  'deleted_tags',
  {
    /** The tag's own id. */
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    name: text().notNull(),
    color: text().notNull(),
    /** The entries that had it. */
    entryIds: uuid('entry_ids').array().notNull(),
    /** Whether it was hidden from memories. */
    hidden: boolean().notNull(),
    deletedAt: timestamptz('deleted_at').notNull().defaultNow(),
  },
  (table) => [index('deleted_tags_user').on(table.userId), index('deleted_tags_at').on(table.deletedAt)],
);
