import { admissionScope } from '@/lib/foundation/admission';
import { startAwakeTimer } from '@/lib/foundation/awake-timer';
import { createCounter } from '@/lib/foundation/counter';
import { record } from '@/lib/foundation/telemetry/metrics';
import { failure } from './answer-timeout';

/**
 * How many connections the requests of one account hold at once: at most half of them, and no more than this. Those that
 * wait for a lock on its rows hold one each, and would take all of them.
 */
export const ACCOUNT_CONNECTIONS = 4;

/**
 * Creates a semaphore with a slot for each connection. Slots go to callers in their order, except that a request waits
 * while its account has its share.
 * @returns takes a slot within `waitMs` milliseconds and returns what frees it. Throws an Error with the code
 * `POOL_TIMEOUT`, or `ACCOUNT_POOL_TIMEOUT` if the account has its share.
 */
export function createConnectionSlots(size: number): (waitMs: number) => Promise<() => void> {
  const share = Math.max(1, Math.min(ACCOUNT_CONNECTIONS, Math.floor(size / 2)));
  const takenBy = createCounter();
  const waiters = new Set<{ account: string | undefined; start: () => void }>();
  let free = size;
  const hasShare = (account: string | undefined) => account !== undefined && takenBy.of(account) >= share;
  const countSlot = (account: string | undefined, taken: 1 | -1) => {
    free -= taken;
    if (account !== undefined) takenBy.add(account, taken);
    record('db.client.connection.count', taken);
  };
  const take = (account: string | undefined) => {
    countSlot(account, 1);
    return () => {
      countSlot(account, -1);
      for (const waiter of waiters) {
        if (hasShare(waiter.account)) continue;
        waiter.start();
        return;
      }
    };
  };

  return async (waitMs) => {
    const { account } = admissionScope.getStore() ?? {};
    if (free > 0 && !hasShare(account)) return take(account);
    const asked = performance.now();
    return new Promise((resolve, reject) => {
      const waiter = {
        account,
        start: () => {
          waiters.delete(waiter);
          stopTimer();
          record('db.client.connection.wait_time', (performance.now() - asked) / 1000);
          resolve(take(account));
        },
      };
      const stopTimer = startAwakeTimer(() => {
        waiters.delete(waiter);
        const code = hasShare(account) ? 'ACCOUNT_POOL_TIMEOUT' : 'POOL_TIMEOUT';
        if (code === 'POOL_TIMEOUT') record('db.client.connection.timeouts', 1);
        reject(failure(code, 'No database connection became free in time.'));
      }, waitMs);
      waiters.add(waiter);
    });
  };
}
