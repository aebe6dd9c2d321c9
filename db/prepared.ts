import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import { db } from './client';
import { redactQueryErrors } from './errors';

const dialect = new PgDialect();

/**
 * Runs the text of a query as a prepared statement, with the rows as the driver gives them.
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
 * Runs a query as a prepared statement where DATABASE_PREPARED_STATEMENTS allows it: parsed and planned once on each
 * connection, and asked in one round trip where postgres.js needs two for others. A connection keeps every text it has
 * prepared, so only for queries that have few texts. The same for drizzle's builders is `.prepare(name).execute()`.
 * @throws QueryError
 */
export function executePrepared<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  return queryPrepared<Row>(sql, params);
}
