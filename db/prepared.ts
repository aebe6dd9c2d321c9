import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import { db } from './client';
import { redactQueryErrors } from './errors';

const dialect = new PgDialect();

/**
 * Runs a query's text as a prepared statement and returns the rows as the driver does.
 * @throws QueryError
 */
export function queryPrepared<Row extends Record<string, unknown>>(
  text: string,
  values: unknown[],
): Promise<postgres.RowList<Row[]>> {
  return redactQueryErrors(text, async () =>
    db().$client.unsafe<Row[]>(text, values as string[], { prepare: true }),
  );
}

/**
 * Runs a query as a prepared statement if DATABASE_PREPARED_STATEMENTS allows it: parsed and planned once per
 * connection, and run in one round trip where postgres.js otherwise needs two. A connection keeps every text it has
 * prepared, so use this only for queries with few distinct texts. The equivalent for Drizzle's builders is
 * `.prepare(name).execute()`.
 * @throws QueryError
 */
export function executePrepared<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  return queryPrepared<Row>(sql, params);
}
