import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';
import { admissionScope, REQUEST_WAIT_MS } from '@/lib/foundation/admission';
import { startAwakeTimer } from '@/lib/foundation/awake-timer';
import { createCounter } from '@/lib/foundation/counter';
import { perProcess } from '@/lib/foundation/per-process';
import { record } from '@/lib/foundation/telemetry/metrics';
import { answeredInTime, failure, onSettled, sendWith } from './answer-timeout';
import { QueryError } from './errors';
import { type PoolOptions, reconnectingPool } from './pool';
import { type SilenceCheck, watchSilence } from './silence';
import { keepFromRunning, trackConnection } from './tracked-connection';
import { guardTransactions } from './transactions';

/**
 * How long a query or a transaction waits for a free connection, in milliseconds: a job's, and one of neither a job nor a
 * request that we've admitted, such as a page's on Vercel. A request's waits {@link REQUEST_WAIT_MS}.
 */
const JOB_WAIT_MS = 60_000;
const OTHER_WAIT_MS = 4000;

/**
 * How many connections the requests of one account hold at once: at most half of them, and no more than this. Those that
 * wait for a lock on its rows hold one each, and would take all of them.
 */
export const ACCOUNT_CONNECTIONS = 4;

/** When a statement of a request checks whether the database has gone silent, and how long it then waits. Milliseconds. */
const ASK_AFTER_MS = 1500;
const CHECK_MS = 2500;

/** Longer than the server's own `statement_timeout`, so that it passes only if the connection is dead. Milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long the queries of a pool that's being replaced may take, in seconds. */
const END_TIMEOUT_SECONDS = 60;

const jobScope = perProcess('job-scope', () => new AsyncLocalStorage<true>());
/** When a statement last succeeded, by `performance.now()`. */
const lastAnswer = perProcess('last-answer', () => ({ at: Number.NEGATIVE_INFINITY }));

/** Runs a job's work, whose queries wait longer for a free connection than a request's do. */
export const withJobWaits = <Result>(work: () => Result): Result => jobScope.run(true, work);

export interface Deadlines {
  /** How many queries and transactions run at once: the pool's number of connections. */
  connections: number;
  /** Returns how long to wait for a free connection, in milliseconds. */
  waitMs: () => number;
  /** How long the server may take to answer, in milliseconds. */
  answerMs: number;
  /** Makes requests notice earlier that the database has gone silent. */
  silence?: SilenceCheck;
}

const noteAnswer = () => {
  lastAnswer.at = performance.now();
};

/** Returns whether a statement has succeeded this recently, in milliseconds. */
export const hasAnsweredWithin = (ms: number): boolean => performance.now() - lastAnswer.at < ms;

interface SlotRequest {
  account: string | undefined;
  start: () => void;
}

/** Hands out `size` slots in the order of the calls, of which one account's requests hold only a part. */
function createSlots(size: number) {
  const share = Math.max(1, Math.min(ACCOUNT_CONNECTIONS, Math.floor(size / 2)));
  const held = createCounter();
  const queue = new Set<SlotRequest>();
  let free = size;
  const hasShare = ({ account }: Pick<SlotRequest, 'account'>) =>
    account === undefined || held.of(account) < share;
  const count = ({ account }: SlotRequest, change: 1 | -1) => {
    free -= change;
    if (account !== undefined) held.add(account, change);
    record('db.client.connection.count', change);
  };
  const startNext = () => {
    if (free === 0) return;
    for (const next of queue) {
      if (!hasShare(next)) continue;
      queue.delete(next);
      count(next, 1);
      next.start();
      return;
    }
  };
  const releaseOf = (request: SlotRequest) => () => {
    count(request, -1);
    startNext();
  };
  /**
   * Waits for a slot and returns what frees it.
   * @throws Error with the code `POOL_TIMEOUT`, or `ACCOUNT_POOL_TIMEOUT` if the account's own requests hold its share
   */
  return (waitMs: number): Promise<() => void> => {
    const account = admissionScope.getStore()?.account;
    const request = { account, start: () => {} };
    if (free > 0 && hasShare(request)) {
      count(request, 1);
      return Promise.resolve(releaseOf(request));
    }
    const asked = performance.now();
    return new Promise((resolve, reject) => {
      request.start = () => {
        stop();
        record('db.client.connection.wait_time', (performance.now() - asked) / 1000);
        resolve(releaseOf(request));
      };
      const stop = startAwakeTimer(() => {
        queue.delete(request);
        const code = hasShare(request) ? 'POOL_TIMEOUT' : 'ACCOUNT_POOL_TIMEOUT';
        if (code === 'POOL_TIMEOUT') record('db.client.connection.timeouts', 1);
        reject(failure(code, 'No database connection became free in time.'));
      }, waitMs);
      queue.add(request);
    });
  };
}

/** Bounds what a pool's queries and transactions wait for. */
function withDeadlines<Sql extends postgres.Sql>(
  sql: Sql,
  { connections, waitMs, answerMs, silence }: Deadlines,
  onSilence: () => void,
): Sql {
  const timeout = { answerMs, onSilence };
  const takeSlot = createSlots(connections);
  const driversUnsafe = sql.unsafe;
  const watch = silence && watchSilence(silence);
  // BEGIN goes through it, too, after its transaction has taken a slot. The statements after it don't: their connection
  // has answered already.
  const answered = (...[text, parameters, given]: Parameters<postgres.Sql['unsafe']>) => {
    const isJob = jobScope.getStore() === true;
    const { options, endConnection } = trackConnection(given);
    const sent = driversUnsafe(text, parameters, options);
    const abort = () => {
      keepFromRunning(sent);
      endConnection();
      onSilence();
    };
    const query = answeredInTime(sent, { answerMs, onSilence: abort });
    return sendWith(query, (send, pending) => {
      onSettled(pending, () => {}, noteAnswer);
      if (!isJob) watch?.(pending, abort);
      send();
    });
  };
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

/**
 * The deadlines of the app's pool.
 * @param open opens a connection of its own
 */
export const appDeadlines = (connections: number, open: SilenceCheck['open']): Deadlines => ({
  connections,
  waitMs: () => {
    if (jobScope.getStore()) return JOB_WAIT_MS;
    return admissionScope.getStore() ? REQUEST_WAIT_MS : OTHER_WAIT_MS;
  },
  answerMs: ANSWER_TIMEOUT_MS,
  silence: { askAfterMs: ASK_AFTER_MS, answerMs: CHECK_MS, open },
});
