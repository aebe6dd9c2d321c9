import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { journalMonths, searchWords } from '@/db/schema/search';
import { restoreEntry } from '@/lib/journal/entries/trash';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import { useFreshDatabase } from '@/test/app-database';
import { addNote, makeEntryWithContent, searchEntries, searchEntryIds } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
  // The planner has no statistics, as in an account's first minutes, or where ANALYZE never runs.
  for (const table of ['entries', 'entry_search', 'search_words', 'transcripts', 'journal_months']) {
    await db().execute(sql.raw(`alter table ${table} set (autovacuum_enabled = false)`));
  }
});
afterAll(() => end());

/** Returns `count` distinct words of a millisecond each. */
const distinct = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    word: `${prefix}${index}`,
    startTime: index / 1000,
    endTime: (index + 1) / 1000,
  }));

/** Returns the words counted for a user, each with its number of entries. */
async function counted(userId: string) {
  return db()
    .select({ year: searchWords.year, word: searchWords.word, entries: searchWords.entries })
    .from(searchWords)
    .where(eq(searchWords.userId, userId))
    .orderBy(searchWords.year, searchWords.word);
}

/** Returns the same, recounted from what searches can find. */
async function recounted(userId: string) {
  return [
    ...(await db().execute<{ year: number; word: string; entries: number }>(sql`
      select extract(year from date)::int as year, word, count(*)::int as entries
      from entry_search, unnest(search_entry_words(vector)) as word
      where user_id = ${userId} group by 1, 2 order by 1, 2`)),
  ];
}

it('counts no more than 8,000 words of an entry, and takes back as many', async () => {
  const { id: user } = await makeUser();
  const day = await makeEntryWithContent(user, {});
  await saveTranscription(user, day, distinct('syllable', 12_000));
  expect(await counted(user)).toHaveLength(8000);
  await saveTranscription(user, day, distinct('sibilant', 9000));
  expect(await counted(user)).toHaveLength(8000);
  expect(await counted(user)).toEqual(await recounted(user));
  await saveTranscription(user, day, distinct('syllable', 3));
  expect((await counted(user)).map(({ word }) => word)).toEqual(['syllable0', 'syllable1', 'syllable2']);
  await db().execute(sql`delete from users where id = ${user}`);
  expect(await counted(user)).toEqual([]);
});

describe('saving without statistics', () => {
  it('replaces thousands of words with five within the timeout', async () => {
    const { id: user } = await makeUser();
    for (let n = 0; n < 15; n += 1) await makeEntryWithContent(user, { words: 'walked along the harbour' });
    const day = await makeEntryWithContent(user, {});
    await saveTranscription(user, day, distinct('syllable', 3000));
    await saveTranscription(user, day, distinct('syllable', 5));
    expect(await searchEntryIds(user, 'syllable2999')).toEqual([]);
    expect((await searchEntries(user, 'syllable4'))[0]?.id).toBe(day);
    expect(await counted(user)).toEqual(await recounted(user));
    expect((await counted(user)).find(({ word }) => word === 'harbour')?.entries).toBe(15);
  });

  it('replaces 8,000 words with as many others, and takes them through the trash', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, {});
    await saveTranscription(user, day, distinct('before', 8000));
    await saveTranscription(user, day, distinct('after', 8000));
    expect(await counted(user)).toHaveLength(8000);
    await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, day));
    expect(await counted(user)).toEqual([]);
    await restoreEntry(user, day);
    expect(await counted(user)).toEqual(await recounted(user));
  });
});

describe('the words of a year', () => {
  it('keeps a word until the last entry that has it loses it', async () => {
    const { id: user } = await makeUser();
    const [one, other] = [
      await makeEntryWithContent(user, { words: 'lighthouse' }),
      await makeEntryWithContent(user, { words: 'lighthouse' }),
    ];
    expect(await searchEntryIds(user, 'lighthuose')).toHaveLength(2);
    await saveTranscription(user, one, [{ word: 'harbour', startTime: 0, endTime: 1 }]);
    expect(await searchEntryIds(user, 'lighthuose')).toEqual([other]);
    await saveTranscription(user, other, [{ word: 'harbour', startTime: 0, endTime: 1 }]);
    expect((await counted(user)).map(({ word, entries }) => [word, entries])).toEqual([['harbour', 2]]);
  });

  it('moves with an entry to another year', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, { words: 'lighthouse', date: '2024-05-05' });
    await makeEntryWithContent(user, { words: 'lighthouse', date: '2024-06-06' });
    await db().update(entries).set({ date: '2025-05-05' }).where(eq(entries.id, day));
    expect(await counted(user)).toMatchObject([
      { year: 2024, word: 'lighthous', entries: 1 },
      { year: 2024, word: 'lighthouse', entries: 1 },
      { year: 2025, word: 'lighthous', entries: 1 },
      { year: 2025, word: 'lighthouse', entries: 1 },
    ]);
  });

  it('is exact after changes that were made at once', async () => {
    const { id: user } = await makeUser();
    const days = await Promise.all(
      Array.from({ length: 8 }, () => makeEntryWithContent(user, { words: 'one shared start' })),
    );
    const vocabulary = distinct('common', 40);
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(
        days.flatMap((day, nth) => [
          // Each entry gets other words from the same small set.
          saveTranscription(
            user,
            day,
            vocabulary
              .filter((_, index) => (index * (nth + 3) + round) % 5 < 2)
              .map(({ word }, index) => ({ word, startTime: index, endTime: index })),
          ),
          addNote(day, `common${nth} ${round % 2 ? 'pebble' : 'feather'}`),
        ]),
      );
      await Promise.all(
        days.map(async (day, nth) => {
          await db()
            .update(entries)
            .set({ title: `common${(nth * 7 + round) % 40}`, date: `202${nth % 3}-01-0${1 + round}` })
            .where(eq(entries.id, day));
          if (nth % 2) return;
          await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, day));
          await restoreEntry(user, day);
        }),
      );
    }
    expect(await counted(user)).toEqual(await recounted(user));
    expect((await counted(user)).length).toBeGreaterThan(40);
    const [months] = await db()
      .select({ entries: sql<number>`sum(${journalMonths.entries})::int` })
      .from(journalMonths)
      .where(eq(journalMonths.userId, user));
    expect(months?.entries).toBe(8);
  });

  it('goes with its account', async () => {
    const { id: user } = await makeUser();
    await makeEntryWithContent(user, { words: 'lighthouse' });
    await db().execute(sql`delete from users where id = ${user}`);
    expect(await counted(user)).toEqual([]);
  });
});
