import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import { env } from '@/lib/env';
import { openDatabase } from './connect';
import { redactQueryErrors } from './errors';
import { reconnectingPool } from './pool';
import * as accounts from './schema/accounts';
import * as billing from './schema/billing';
import * as entries from './schema/entries';
import * as limits from './schema/limits';
import * as memories from './schema/memories';
import * as outbox from './schema/outbox';
import * as previews from './schema/previews';
import * as search from './schema/search';
import * as security from './schema/security';
import * as uploads from './schema/uploads';
import { guardTransactions } from './transactions';

const schema = {
  ...accounts,
  ...billing,
  ...security,
  ...limits,
  ...entries,
  ...outbox,
  ...search,
  ...memories,
  ...uploads,
  ...previews,
};

/** What Drizzle sends every query through, left out of its types. It would throw an error with all parameters. */
interface QueryPath {
  queryWithCache(text: string, params: unknown[], query: () => Promise<unknown>): Promise<unknown>;
}

// Here rather than around each call: no query can be forgotten. Nothing here uses Drizzle's cache, which it skips.
(PgPreparedQuery.prototype as unknown as QueryPath).queryWithCache = (text, _params, query) =>
  redactQueryErrors(text, query);

const connect = () =>
  reconnectingPool((options) => {
    const { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: prepare } = env();
    const sql = openDatabase(url, { ...options, prepare, max: 10, idle_timeout: 60, connect_timeout: 10 });
    return { pool: drizzle(guardTransactions(sql), { schema }), end: () => sql.end() };
  });

export type Database = ReturnType<ReturnType<typeof connect>>;
/** Also what a service takes that must take part in its caller's transaction. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

// One pool for each process: Next loads this module once for every bundle that imports it.
const shared = globalThis as typeof globalThis & { daylightDatabase?: () => Database };

/** The connection pool, opened on first use so that a build needs no database. Ask for it anew for each query. */
export function db(): Database {
  shared.daylightDatabase ??= connect();
  return shared.daylightDatabase();
}
