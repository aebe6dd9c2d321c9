import { getTableColumns, sql } from 'drizzle-orm';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';

/**
 * The words of a row of `transcripts`. The newest revision has its own, and so have most others: only one that was restored
 * shares them with a later one, which holds them.
 */
const heldWords = sql<StoredWord[]>`case when transcripts.shared_words is null then transcripts.words else (
  select holder.words from transcripts as holder
  where holder.entry_id = transcripts.entry_id and holder.shared_words = transcripts.shared_words
  order by holder.revision desc limit 1) end`;

export const revisionWords = heldWords.as('revision_words');

/** The texts of these words, without their times: a third of the JSON, if that's all that's needed. */
export const revisionTexts = sql<string[]>`jsonb_path_query_array(${heldWords}, '$[*][0]')`.as(
  'revision_texts',
);

/** The columns of any revision. */
export const revisionColumns = { ...getTableColumns(transcripts), words: revisionWords };

/** How many words a revision has, in a query of all of an entry's: each list is read once, however many revisions share it. */
export const wordCount = sql<number>`max(jsonb_array_length(transcripts.words))
  over (partition by coalesce(transcripts.shared_words::text, transcripts.revision::text))`;
