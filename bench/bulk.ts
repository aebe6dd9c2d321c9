import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { outbox } from '@/db/schema/outbox';
import { eraseDueAccounts } from '@/lib/account/deletion/erase';
import { changeDates, undoDates } from '@/lib/journal/bulk/dates';
import { changeTags, undoTags } from '@/lib/journal/bulk/tags';
import { removeEntries, restoreEntries } from '@/lib/journal/entries/trash';
import { makeSpokenDays } from '@/test/bulk-fixtures';
import type { Benchmark } from './bench';
import { type Measurement, measurement, median } from './measurements';
import { seedAccount } from './seed';

/**
 * As many as one action takes, all of one year, with ten minutes of speech each, in which no word is said twice: the worst
 * case.
 */
const ENTRIES = 500;
const WORDS = 1370;
const ROUNDS = 3;
/** Half the statement timeout. */
const LIMIT_MS = 10_000;

/** Milliseconds of each action on all entries of an account, and of erasing it. */
export const bulkBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    const { userId } = await seedAccount();
    await db().update(users).set({ grantedPlan: 'Standard' }).where(eq(users.id, userId));
    const ids = await makeSpokenDays(userId, ENTRIES, WORDS);
    const times = new Map<string, number[]>();
    const time = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const began = performance.now();
      const result = await work();
      times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
      // The jobs that follow would run beside the next measurement.
      await db().delete(outbox);
      return result;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await time('move to the trash', () => removeEntries(userId, ids));
      await time('restore', () => restoreEntries(userId, ids));
      const date = { year: 2019, month: 5, day: 1 };
      const dates = await time('set one date', () => changeDates(userId, ids, { date }));
      await time('undo the date', () => undoDates(userId, dates));
      const create = ['One', 'Two', 'Three'];
      const tags = await time('add three tags', () =>
        changeTags(userId, ids, { add: [], remove: [], create }),
      );
      await time('undo the tags', () => undoTags(userId, tags));
    }
    const now = sql`now()`;
    await db().insert(accountDeletions).values({ userId, requestedAt: now, erasesAt: now });
    await time('erase the account', eraseDueAccounts);
    return [...times].map(
      ([name, all]): Measurement =>
        measurement(`${name}, ${ENTRIES} entries of ${WORDS} words`, {
          unit: 'ms p50',
          ours: median(all),
          limit: LIMIT_MS,
          bar: 1,
        }),
    );
  },
};
