import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';
import { answeredInTime, failure, onSettled, sendWith } from './answer-timeout';
import { QueryError } from './errors';
import { type PoolOptions, reconnectingPool } from './pool';
import { guardTransactions } from './transactions';

/**
 * How long a query or a transaction waits for a free connection, in milliseconds. In requests, as long as the server lets
 * one wait for a lock (`lock_timeout`), so that many requests for one row end alike. Jobs wait longer.
 */
const REQUEST_WAIT_MS = 10_000;
const JOB_WAIT_MS = 60_000;

/** Longer than the server's own `statement_timeout`, so that it passes only if the connection is dead. Milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long the queries of a pool that's being replaced may take, in seconds. */
const END_TIMEOUT_SECONDS = 60;

// Next loads this module in several bundles; they must share one scope.
const shared = globalThis as typeof globalThis & { daylightJobScope?: AsyncLocalStorage<true> };
shared.daylightJobScope ??= new AsyncLocalStorage();
const jobScope = shared.daylightJobScope;

/** Runs a job's work, whose queries wait longer for a free connection than a request's do. */
export const withJobWaits = <Result>(work: () => Result): Result => jobScope.run(true, work);

export interface Deadlines {
  /** How many queries and transactions run at once: the pool's number of connections. */
  connections: number;
  /** Returns how long to wait for a free connection, in milliseconds. */
  waitMs: () => number;
  /** How long the server may take to answer, in milliseconds. */
  answerMs: number;
}

/** Hands out `size` slots in the order of the calls. */
function createSlots(size: number) {
  let free = size;
  const queue = new Set<() => void>();
  const release = () => {
    const [next] = queue;
    if (!next) free += 1;
    else {
      queue.delete(next);
      next();
    }
  };
  /** Waits for a slot and returns what frees it. @throws Error with the code `POOL_TIMEOUT` */
  return (waitMs: number): Promise<() => void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve(release);
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve(release);
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        reject(failure('POOL_TIMEOUT', 'No database connection became free in time.'));
      }, waitMs);
      queue.add(start);
    });
  };
}

/** Bounds what a pool's queries and transactions wait for. */
function withDeadlines<Sql extends postgres.Sql>(
  sql: Sql,
  { connections, waitMs, answerMs }: Deadlines,
  onSilence: () => void,
): Sql {
  const timeout = { answerMs, onSilence };
  const takeSlot = createSlots(connections);
  const driversUnsafe = sql.unsafe;
  // BEGIN goes through it, too, after its transaction has taken a slot.
  const answered = (...values: Parameters<postgres.Sql['unsafe']>) =>
    answeredInTime(driversUnsafe(...values), timeout);
  const guarded = guardTransactions(Object.assign(sql, { unsafe: answered }), timeout);
  const unsafe = (...values: Parameters<postgres.Sql['unsafe']>) => {
    const wait = waitMs();
    return sendWith(answered(...values), (send, pending) => {
      takeSlot(wait).then(
        (release) => {
          onSettled(pending, release);
          send();
        },
        (error) => pending.reject(error),
      );
    });
  };
  const begin = async (work: (tx: postgres.TransactionSql) => unknown): Promise<unknown> => {
    const release = await takeSlot(waitMs()).catch((error: unknown) => {
      throw new QueryError(error);
    });
    return guarded(work).finally(release);
  };
  const bounded: Record<string | symbol, unknown> = { unsafe, begin };
  return new Proxy(sql, {
    get: (target, name) => bounded[name] ?? Reflect.get(target, name),
  });
}

/**
 * Opens a pool that survives the loss of its connections, and whose queries and transactions never wait without limit:
 * not for a free connection, as postgres.js does, nor for a server that has gone silent. Also keeps postgres.js from
 * sending queries behind one that waits for a lock. Both end as errors that `isDatabaseUnavailable` recognizes.
 *
 * @param open opens the driver's pool
 * @param wrap turns it into what the callers use
 * @returns a function that returns the current pool
 */
export function boundedPool<Sql extends postgres.Sql, Pool>(
  open: (options: PoolOptions) => Sql,
  wrap: (sql: Sql) => Pool,
  deadlines: Deadlines,
): () => Pool {
  return reconnectingPool((options, drop) => {
    const sql = open(options);
    const end = () => sql.end({ timeout: END_TIMEOUT_SECONDS });
    return { pool: wrap(withDeadlines(sql, deadlines, drop)), end };
  });
}

/** The deadlines of the app's pool. */
export const appDeadlines = (connections: number): Deadlines => ({
  connections,
  waitMs: () => (jobScope.getStore() ? JOB_WAIT_MS : REQUEST_WAIT_MS),
  answerMs: ANSWER_TIMEOUT_MS,
});
