import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { transcriptPassages } from '@/db/schema/transcripts';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';

/** What the built-in engine heard in a passage. Words' times count from the start of the video, in seconds. */
export type StoredPassage = Omit<typeof transcriptPassages.$inferSelect, 'entryId'>;

const { entryId: ofEntry, ...passageColumns } = getTableColumns(transcriptPassages);

/**
 * Stores what was heard in a passage as soon as it's known, so that a transcription that's killed goes on after it.
 * @returns false if the entry is in the trash or gone
 */
export async function savePassage({ userId, entryId }: EntryRef, passage: StoredPassage): Promise<boolean> {
  const { part, startMs, endMs, words, voiced, logProbability, tokens } = passage;
  const values = sql`${part}::integer, ${startMs}::integer, ${endMs}::integer, ${JSON.stringify(words)}::jsonb,
    ${voiced}::real, ${logProbability}::real, ${tokens}::integer`;
  // The lock makes a purge wait, so that it deletes this row too instead of making the insert fail.
  const saved = await db().execute(sql`
    insert into ${transcriptPassages} (entry_id, part, start_ms, end_ms, words, voiced, log_probability, tokens)
    select id, ${values} from ${entries} where ${ownedEntry(userId, entryId)} for key share
    on conflict (entry_id, part, start_ms) do update set
      end_ms = excluded.end_ms, words = excluded.words, voiced = excluded.voiced,
      log_probability = excluded.log_probability, tokens = excluded.tokens
    returning part`);
  return saved.length > 0;
}

/** Returns the passages heard so far, in order: all of them, or one part's. */
export async function readPassages({ userId, entryId }: EntryRef, part?: number): Promise<StoredPassage[]> {
  return db()
    .select(passageColumns)
    .from(transcriptPassages)
    .innerJoin(entries, eq(entries.id, ofEntry))
    .where(
      and(ownedEntry(userId, entryId), part === undefined ? undefined : eq(transcriptPassages.part, part)),
    )
    .orderBy(asc(transcriptPassages.startMs));
}
