import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { journalMonths } from '@/db/schema/search';
import { transcripts } from '@/db/schema/transcripts';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { countEntries, monthNumber, monthText, selectJournalDays, selectMonthCounts } from './months';
import { purgeEntry, removeEntry, restoreEntry } from './trash';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const rowsOf = (userId: string) =>
  db().select().from(journalMonths).where(eq(journalMonths.userId, userId)).orderBy(journalMonths.month);

/** What triggers have kept, beside the same counted anew. */
async function keptAndCounted(userId: string) {
  const kept = (await rowsOf(userId)).filter((row) => row.entries > 0);
  await db().execute(sql`select journal_recount(array[${userId}]::uuid[])`);
  return [kept, await rowsOf(userId)];
}

const say = (entryId: string, revision: number, count: number) =>
  db()
    .insert(transcripts)
    .values({ entryId, revision, words: Array.from({ length: count }, (_, n) => ['yes', n, n + 0.5]) });

const move = (id: string, date: string) => db().update(entries).set({ date }).where(eq(entries.id, id));

describe('the months of a journal', () => {
  it('are what its entries come to, whatever is done with them', async () => {
    const { id: userId } = await makeUser();
    const ids: string[] = [];
    for (const date of ['2024-02-29', '2024-02-29', '2024-03-01', '2025-12-31', '2026-01-01']) {
      ids.push((await makeEntry(userId, { date })).id);
    }
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;
    const { id: uploading } = await makeEntry(userId, { date: '2025-12-31', videoStatus: 'uploading' });
    expect(await countEntries(userId)).toBe(5);
    await say(first, 0, 10);
    await say(first, 1, 7);
    await say(fourth, 0, 4);
    await move(second, '2026-01-01');
    await removeEntry(userId, third);
    await removeEntry(userId, fourth);
    await restoreEntry(userId, fourth);
    await removeEntry(userId, fifth);
    await purgeEntry(userId, fifth);
    await db().update(entries).set({ videoStatus: 'uploaded' }).where(eq(entries.id, uploading));
    expect(await selectMonthCounts(userId)).toEqual([
      { month: monthNumber('2026-01'), entries: 1 },
      { month: monthNumber('2025-12'), entries: 2 },
      { month: monthNumber('2024-02'), entries: 1 },
    ]);
    const { days, words } = await selectJournalDays(userId);
    const dates = [...days].map(([day, count]) => [
      new Date(day * 86_400_000).toISOString().slice(0, 10),
      count,
    ]);
    expect(dates.sort()).toEqual([
      ['2024-02-29', 1],
      ['2025-12-31', 2],
      ['2026-01-01', 1],
    ]);
    expect(words).toBe(11);
    const [kept, counted] = await keptAndCounted(userId);
    expect(kept).toEqual(counted);
    await db().delete(users).where(eq(users.id, userId));
    expect(await rowsOf(userId)).toEqual([]);
  });

  it('lose nothing of what is done at once', async () => {
    const { id: userId } = await makeUser();
    const ids = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, n) => (await makeEntry(userId, { date: `2026-01-${10 + (n % 3)}` })).id,
      ),
    );
    await Promise.all(
      ids.map(async (id, n) => {
        await say(id, 0, n);
        await move(id, n % 2 ? '2025-12-01' : '2026-02-01');
        if (n % 4 === 0) await removeEntry(userId, id);
      }),
    );
    expect(await countEntries(userId)).toBe(9);
    const [kept, counted] = await keptAndCounted(userId);
    expect(kept).toEqual(counted);
  });

  it('have a name and a number', () => {
    for (const month of ['1926-01', '1969-12', '2026-11']) expect(monthText(monthNumber(month))).toBe(month);
  });
});
