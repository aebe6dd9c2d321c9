import { and, eq, isNull, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { highlights, type StoredWord, transcripts } from '@/db/schema/transcripts';
import { runInSlices } from '@/lib/foundation/shared/steps';
import type { Word } from '@/lib/journal/transcripts/contract';
import { presentWords } from '@/lib/journal/transcripts/shared/word-list';
import { MAX_WORDS, pickHighlight } from './pick';

/** Matches those of some entries that are the account's and outside the trash. */
const isAmong = (userId: string, entryIds: readonly string[]) =>
  and(anyOf(entries.id, entryIds), eq(entries.userId, userId), isNull(entries.trashedAt));

/** How many entries' words to have in memory. */
const ENTRIES_AT_ONCE = 5;

/** Picks the highlights of entries that have none yet, and stores them. */
async function pickMissing(userId: string, entryIds: readonly string[]): Promise<[string, StoredWord[]][]> {
  return db().transaction(async (tx) => {
    // Those that no one is changing, so that their transcripts stay the same until the transaction ends.
    const locked = await tx
      .select({ id: entries.id })
      .from(entries)
      .where(isAmong(userId, entryIds))
      .for('key share', { skipLocked: true });
    if (locked.length === 0) return [];
    const picked: [string, StoredWord[]][] = [];
    for (let at = 0; at < locked.length; at += ENTRIES_AT_ONCE) {
      const ids = locked.slice(at, at + ENTRIES_AT_ONCE).map(({ id }) => id);
      const rows = await tx.execute<{ id: string; words: StoredWord[] }>(sql`
        select distinct on (entry_id) entry_id as id,
          jsonb_path_query_array(words, ${`$[0 to ${MAX_WORDS - 1}]`}::jsonpath) as words
        from transcripts where ${anyOf(transcripts.entryId, ids)} order by entry_id, revision desc`);
      for (const { id, words } of rows) {
        const range = await runInSlices(pickHighlight(words));
        picked.push([id, range ? words.slice(range.from, range.to) : []]);
      }
    }
    if (picked.length === 0) return [];
    await tx
      .insert(highlights)
      .values(picked.map(([entryId, words]) => ({ entryId, words })))
      .onConflictDoNothing();
    return picked;
  });
}

/**
 * Returns the sentence that stands for each entry, with its words' times. Entries that nobody spoke in, or whose
 * transcript isn't there yet, have none.
 * @param entryIds at most a page of them; those of other accounts are left out
 */
export async function getHighlights(
  userId: string,
  entryIds: readonly string[],
): Promise<Map<string, Word[]>> {
  if (entryIds.length === 0) return new Map();
  const stored = await db()
    .select({ id: highlights.entryId, words: highlights.words })
    .from(highlights)
    .innerJoin(entries, eq(entries.id, highlights.entryId))
    .where(isAmong(userId, entryIds));
  const known = new Map(stored.map(({ id, words }) => [id, words]));
  const missing = entryIds.filter((id) => !known.has(id));
  if (missing.length > 0) for (const [id, words] of await pickMissing(userId, missing)) known.set(id, words);
  return new Map(
    [...known].filter(([, words]) => words.length > 0).map(([id, words]) => [id, presentWords(words)]),
  );
}
