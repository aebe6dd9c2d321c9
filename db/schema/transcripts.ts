import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';
import { entryColumn } from './entries';
import { imports } from './imports';

/** A stored word: text, start and end in seconds, and the engine's confidence (0 to 1) if it gave one. */
export type StoredWord = [word: string, start: number, end: number, confidence?: number];

/** Revisions of a transcript: 0 is the engine's original, and later ones are edits. Numbers that are missing were pruned. */
export const transcripts = pgTable(
  'transcripts',
  {
    entryId: entryColumn(),
    revision: integer().notNull(),
    /** Empty in all but the newest of the revisions that share their words. `revisionWords` reads any revision's. */
    words: jsonb().$type<StoredWord[]>().notNull(),
    /** The same in revisions with the same words, because one was restored as another; null if it shares them with none. */
    sharedWords: uuid('shared_words'),
    /** The engine reported times only for segments, so the times of words are interpolated. */
    estimated: boolean().notNull().default(false),
    engine: text(),
    /** The mean natural log-probability of the engine's tokens, if it reported one; null for edits. */
    logProbability: real('log_probability'),
    /** Heard in the browser while the video was recorded. */
    draft: boolean().notNull().default(false),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.revision] })],
);

/** The speech service's result for one part of the audio, until all parts are joined into the transcript. */
export const transcriptParts = pgTable(
  'transcript_parts',
  {
    entryId: entryColumn(),
    /** Counts from 0. */
    part: integer().notNull(),
    /** Times count from the start of the video. */
    words: jsonb().$type<StoredWord[]>().notNull(),
    language: text(),
    estimated: boolean().notNull(),
    engine: text(),
    /** The mean natural log-probability of `tokens` tokens, if the engine reported it. */
    logProbability: real('log_probability'),
    tokens: integer(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.part] })],
);

/** What the built-in engine heard in one passage of a part, so that a killed transcription goes on from there. */
export const transcriptPassages = pgTable(
  'transcript_passages',
  {
    entryId: entryColumn(),
    part: integer().notNull(),
    /** Where the passage starts, in milliseconds from the start of the video. */
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    /** Times count from the start of the video. */
    words: jsonb().$type<StoredWord[]>().notNull(),
    /** Seconds of voice, by voice activity detection. */
    voiced: real().notNull(),
    logProbability: real('log_probability').notNull(),
    tokens: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.part, table.startMs] })],
);

/** Words that a person has corrected transcripts to, such as names, which the engine prefers from then on. */
export const vocabulary = pgTable(
  'vocabulary',
  {
    userId: ownerColumn(),
    /** As the person writes it. */
    word: text().notNull(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
    /** The import that added it; null if a correction did. */
    importId: uuid('import_id').references(() => imports.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.word] }),
    index('vocabulary_import').on(table.importId).where(sql`import_id is not null`),
  ],
);

/**
 * The sentence that stands for an entry in the timeline and among memories. It's picked from the transcript when it's
 * first shown. A trigger deletes it whenever the transcript changes, so that it's picked again.
 */
export const highlights = pgTable('highlights', {
  entryId: entryColumn().primaryKey(),
  /** Empty if the transcript has no sentence worth quoting. */
  words: jsonb().$type<StoredWord[]>().notNull(),
});
