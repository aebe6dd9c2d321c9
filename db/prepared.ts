import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { db } from './client';

const dialect = new PgDialect();

/**
 * Runs a query as a prepared statement where DATABASE_PREPARED_STATEMENTS allows it: parsed and planned once on each
 * connection, and asked in one round trip where postgres.js needs two for others. A connection keeps every text it has
 * prepared, so only for queries that have few texts. The same for drizzle's builders is `.prepare(name).execute()`.
 */
export async function executePrepared<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  return db().$client.unsafe<Row[]>(sql, params as string[], { prepare: true });
}
