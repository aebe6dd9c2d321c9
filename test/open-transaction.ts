import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { db, type Transaction } from '@/db/client';

/** How often it's asked whether something waits, and for how long, in milliseconds. */
const POLL = { interval: 20, timeout: 60_000 };

/** Returns how many connections to this database wait for a lock. */
async function countWaiting(): Promise<number> {
  const rows = await db().execute(sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}

/**
 * Runs `work` while another connection's transaction is open: with the locks that `first` has taken, and with its changes
 * unseen. Commits that transaction as soon as `work` waits for a lock, or has ended without waiting.
 *
 * A missing lock shows in two ways. `waited` is false, or `work` waited at a later statement, after it had read what
 * `first` was about to change. So let `first` change what `work` decides by, and look at the rows afterwards.
 * @param first what the open transaction does, with `tx` only
 * @param work what runs meanwhile, on connections of its own
 * @param options.waiting how many connections of `work` have to wait
 * @param options.finish what the open transaction does while `work` waits, before it commits: a deadlock, if `work`
 * locks in another order
 * @returns whether `work` waited, and how it ended
 */
export async function duringTransaction<Result>(
  first: (tx: Transaction) => Promise<unknown>,
  work: () => Promise<Result>,
  { waiting = 1, finish }: { waiting?: number; finish?: (tx: Transaction) => Promise<unknown> } = {},
): Promise<{ waited: boolean; outcome: PromiseSettledResult<Result> }> {
  let ended = false;
  let waited = false;
  const settled = await db().transaction(async (tx) => {
    await first(tx);
    const working = Promise.allSettled([work()]).finally(() => {
      ended = true;
    });
    await expect
      .poll(async () => {
        waited ||= !ended && (await countWaiting()) >= waiting;
        return waited || ended;
      }, POLL)
      .toBe(true);
    await finish?.(tx);
    return { working };
  });
  const [outcome] = await settled.working;
  return { waited, outcome };
}
