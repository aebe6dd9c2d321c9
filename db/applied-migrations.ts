import type postgres from 'postgres';

/** What a database says about its migrations. */
export interface AppliedMigrations extends Record<string, unknown> {
  /** The newest one, or 0 if there are none. */
  newest: number;
  /** The newest migration that code must know to run with this database, or 0. */
  needs: number;
}

/** Reads which migrations a database has. Databases of the first releases have no column for what they need. */
export const SELECT_APPLIED = `
  select coalesce(max(created_at), 0)::float8 as newest,
    coalesce(max((to_jsonb(applied) ->> 'needs')::bigint), 0)::float8 as needs
  from drizzle.__drizzle_migrations applied`;

/** Returns which migrations a database has. @throws PostgresError if it has never been migrated */
export async function readApplied(sql: postgres.Sql | postgres.TransactionSql): Promise<AppliedMigrations> {
  const [row] = await sql.unsafe<AppliedMigrations[]>(SELECT_APPLIED);
  return row ?? { newest: 0, needs: 0 };
}

/**
 * Returns whether code whose newest migration is `known` can run with a database: its migrations aren't newer, or the
 * newer ones have only added something.
 */
export const isUsableBy = (known: number, { needs }: AppliedMigrations): boolean => needs <= known;
