import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import { type Database, db, type Transaction } from './client';
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
 * prepared, so use this only for queries with few distinct texts. For Drizzle's builders, see {@link preparedStatement}.
 * @throws QueryError
 */
export function executePrepared<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  return queryPrepared<Row>(sql, params);
}

/**
 * Prepares a statement of Drizzle's query builder once for the connection pool, not for each call: building its text costs
 * more CPU than sending it. What changes from call to call is an `sql.placeholder`.
 * @param build ends with `.prepare(name)`
 * @returns a function that returns the statement for the pool, or for a transaction, which has it built again
 */
export function preparedStatement<Statement>(
  build: (connection: Database | Transaction) => Statement,
): (connection?: Database | Transaction) => Statement {
  const statements = new WeakMap<Database | Transaction, Statement>();
  return (connection = db()) => {
    const known = statements.get(connection);
    if (known) return known;
    const statement = build(connection);
    statements.set(connection, statement);
    return statement;
  };
}
