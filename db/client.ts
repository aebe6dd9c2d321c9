import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import { connectionWaitMs } from '@/lib/foundation/admission';
import { env } from '@/lib/foundation/env';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { openDatabase } from './connect';
import { boundedPool } from './deadlines';
import { redactQueryErrors } from './errors';
import * as accounts from './schema/accounts';
import * as billing from './schema/billing';
import * as entries from './schema/entries';
import * as highlights from './schema/highlights';
import * as jobs from './schema/jobs';
import * as limits from './schema/limits';
import * as memories from './schema/memories';
import * as outbox from './schema/outbox';
import * as previews from './schema/previews';
import * as search from './schema/search';
import * as security from './schema/security';
import * as uploads from './schema/uploads';

const schema = {
  ...accounts,
  ...billing,
  ...security,
  ...limits,
  ...entries,
  ...jobs,
  ...outbox,
  ...search,
  ...memories,
  ...uploads,
  ...previews,
  ...highlights,
};

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

/** When a statement last succeeded, by `performance.now()`. */
const lastAnswer = perProcess('last-answer', () => ({ at: Number.NEGATIVE_INFINITY }));

function connect() {
  const { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: prepare, DATABASE_POOL_SIZE, SERVERLESS } = env();
  const max = DATABASE_POOL_SIZE ?? (SERVERLESS ? CONNECTIONS.serverless : CONNECTIONS.server);
  const open = (options: Parameters<typeof openDatabase>[1]) =>
    openDatabase(url, { ...options, idle_timeout: 60, connect_timeout: CONNECT_TIMEOUT, prepare });
  return boundedPool(
    (options) => open({ ...options, max }),
    (sql) => drizzle(sql, { schema }),
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
