import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { makePgArray } from 'drizzle-orm/pg-core/utils/array';

/**
 * Returns a list as one parameter, of the type that a column's array has. A statement with a parameter for each value
 * would fail from 65,535 values on.
 */
export const arrayOf = (column: PgColumn, values: readonly unknown[]): SQL =>
  sql`${makePgArray([...values])}::${sql.raw(column.getSQLType())}[]`;

/** Matches rows in which a column has one of some values, however many there are; none for an empty list. */
export const anyOf = <Column extends PgColumn>(column: Column, values: readonly Column['_']['data'][]): SQL =>
  sql`${column} = any(${arrayOf(column, values)})`;

/** Matches rows in which a column has none of some values; all for an empty list. */
export const noneOf = <Column extends PgColumn>(
  column: Column,
  values: readonly Column['_']['data'][],
): SQL => sql`${column} <> all(${arrayOf(column, values)})`;
