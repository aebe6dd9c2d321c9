import type postgres from 'postgres';
import { admissionScope } from '@/lib/foundation/admission';
import { answeredInTime, onSettled, sendWith } from './answer-timeout';
import { createConnectionSlots } from './connection-slots';
import { QueryError } from './errors';
import { type PoolOptions, reconnectingPool } from './pool';
import { type SilenceCheck, watchSilence } from './silence';
import { guardTransactions } from './transactions';

/** What postgres.js tells about the connection that it sends a query on, which its types omit. */
interface Connection {
  terminate(): void;
}

interface QueryOptions {
  /** Returns whether the connection may take further queries meanwhile. */
  onexecute?: (connection: Connection) => unknown;
}

/**
 * Makes it possible to end the connection of a query that's given up. A pooler would otherwise run the query as soon as
 * it can, and a BEGIN would then hold a connection to Postgres that nobody ends. postgres.js doesn't tell the connection
 * of a query whose parameters it asks about first; see `keepFromRunning`.
 * @returns the query's options to use instead, and what ends its connection, also one that it's sent on later
 */
function trackConnection<Options extends object>(
  given?: Options,
): { options: Options; endConnection: () => void } {
  const { onexecute } = (given ?? {}) as QueryOptions;
  let connection: Connection | undefined;
  let isGivenUp = false;
  const options = {
    ...given,
    onexecute: (used: Connection) => {
      connection = used;
      if (isGivenUp) queueMicrotask(() => used.terminate());
      return onexecute ? onexecute(used) : true;
    },
  };
  const endConnection = () => {
    isGivenUp = true;
    connection?.terminate();
  };
  return { options: options as unknown as Options, endConnection };
}

/**
 * Keeps a query from running whose parameters postgres.js asks about first, if the answer comes after it was given up:
 * postgres.js can't send these, so it ends the query instead.
 */
function keepFromRunning(query: object): void {
  Object.assign(query, { parameters: {} });
}

/** How long the queries of a pool that's being replaced may take, in seconds. */
const END_TIMEOUT_SECONDS = 60;

export interface Deadlines {
  /** How many queries and transactions run at once: the pool's number of connections. */
  connections: number;
  /** Returns how long to wait for a free connection, in milliseconds. */
  waitMs: () => number;
  /** How long the server may take to answer, in milliseconds. */
  answerMs: number;
  /** Makes requests notice earlier that the database has gone silent. */
  silence?: SilenceCheck;
  /** Called whenever a statement has succeeded. */
  onAnswer?: () => void;
}

type Unsafe = postgres.Sql['unsafe'];

/**
 * Returns the pool's `unsafe`, whose statements fail if the database doesn't answer them. Then their connection ends and
 * the pool is dropped.
 */
function answerUnsafe(unsafe: Unsafe, deadlines: Deadlines, dropPool: () => void) {
  const { answerMs, silence, onAnswer = () => {} } = deadlines;
  const watch = silence && watchSilence(silence);
  return (...[text, parameters, given]: Parameters<Unsafe>) => {
    const { options, endConnection } = trackConnection(given);
    const query = unsafe(text, parameters, options);
    const isJob = admissionScope.getStore()?.isJob;
    const abort = () => {
      keepFromRunning(query);
      endConnection();
      dropPool();
    };
    return sendWith(answeredInTime(query, { answerMs, onSilence: abort }), (send, pending) => {
      onSettled(pending, () => {}, onAnswer);
      if (!isJob) watch?.(pending, abort);
      send();
    });
  };
}

/** Bounds what a pool's queries and transactions wait for. */
function withDeadlines<Sql extends postgres.Sql>(sql: Sql, deadlines: Deadlines, dropPool: () => void): Sql {
  const { connections, waitMs, answerMs } = deadlines;
  const takeSlot = createConnectionSlots(connections);
  const answered = answerUnsafe(sql.unsafe, deadlines, dropPool);

  const unsafe = (...values: Parameters<Unsafe>) => {
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

  // postgres.js sends a BEGIN with the pool's own `unsafe`, which takes no slot: the transaction has one. The statements
  // after it are sent by another, and their connection has answered already.
  const timeout = { answerMs, onSilence: dropPool };
  const transact = guardTransactions(Object.assign(sql, { unsafe: answered }), timeout);
  const begin = async (work: (tx: postgres.TransactionSql) => unknown): Promise<unknown> => {
    const release = await takeSlot(waitMs()).catch((error: unknown) => {
      throw new QueryError(error);
    });
    return transact(work).finally(release);
  };

  const bounded = { unsafe, begin };
  return new Proxy(sql, {
    get: (target, name) => Reflect.get(Object.hasOwn(bounded, name) ? bounded : target, name),
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
