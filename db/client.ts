import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import { admissionScope, REQUEST_WAIT_MS } from '@/lib/foundation/admission';
import { env } from '@/lib/foundation/env';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { openDatabase } from './connect';
import { boundedPool } from './deadlines';
import { redactQueryErrors } from './errors';

/**
 * The method Drizzle sends every query through, which its types omit. By default, its errors contain all parameters.
 */
interface QueryPath {
  queryWithCache(text: string, params: unknown[], query: () => Promise<unknown>): Promise<unknown>;
}

// Patched here instead of at each call, so that no query can be missed. It skips Drizzle's cache, which nothing here
// uses.
(PgPreparedQuery.prototype as unknown as QueryPath).queryWithCache = (text, _params, query) =>
  redactQueryErrors(text, query);

/** How many connections a process opens at most. Functions are many processes. */
const CONNECTIONS = { server: 10, serverless: 5 };

/** How long a connection may take to open, in seconds. */
const CONNECT_TIMEOUT = 4;

/** Longer than the server's own `statement_timeout`, so that it passes only if the connection is dead. Milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** When a statement of a request checks whether the database has gone silent, and how long it then waits. Milliseconds. */
const SILENCE_CHECK = { askAfterMs: 1500, answerMs: 2500 };

/** How long a job waits for a connection, and whatever has no admission, such as a page on Vercel. Milliseconds. */
const JOB_WAIT_MS = 60_000;
const OTHER_WAIT_MS = 4000;

/** Returns how long a query or a transaction waits for a free connection, in milliseconds. */
function connectionWaitMs(): number {
  const admission = admissionScope.getStore();
  if (!admission) return OTHER_WAIT_MS;
  return admission.isJob ? JOB_WAIT_MS : REQUEST_WAIT_MS;
}

/** When a statement last succeeded, by `performance.now()`. */
const lastAnswer = perProcess('last-answer', () => ({ at: Number.NEGATIVE_INFINITY }));

function connect() {
  const { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: prepare, DATABASE_POOL_SIZE, SERVERLESS } = env();
  const max = DATABASE_POOL_SIZE ?? (SERVERLESS ? CONNECTIONS.serverless : CONNECTIONS.server);
  const open = (options: Parameters<typeof openDatabase>[1]) =>
    openDatabase(url, { ...options, idle_timeout: 60, connect_timeout: CONNECT_TIMEOUT, prepare });
  return boundedPool(
    (options) => open({ ...options, max }),
    (sql) => drizzle(sql),
    {
      connections: max,
      waitMs: connectionWaitMs,
      answerMs: ANSWER_TIMEOUT_MS,
      silence: { ...SILENCE_CHECK, open: () => open({ max: 1, fetch_types: false, onnotice: () => {} }) },
      onAnswer: () => {
        lastAnswer.at = performance.now();
      },
    },
  );
}

export type Database = ReturnType<ReturnType<typeof connect>>;
/** Also the parameter type of services that must run in their caller's transaction. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/**
 * Returns the connection pool, opened on first use, so that builds don't need a database. Call it again for each
 * query.
 */
export function db(): Database {
  return perProcess('database', connect)();
}

/** Returns whether a statement has succeeded this recently, in milliseconds. */
export const hasAnsweredWithin = (ms: number): boolean => performance.now() - lastAnswer.at < ms;
