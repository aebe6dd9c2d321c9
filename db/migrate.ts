import type postgres from 'postgres';
import { isUsableBy, readApplied } from './applied-migrations';
import { recordBaseline } from './baseline';
import { openDatabase } from './connect';
import { describeEncodingProblem, SELECT_TEXT_SUPPORT, type TextSupport } from './encoding';
import { type Migration, readMigrations } from './migration-files';
import { setTimeouts } from './timeouts';

/** How many migrations replace those from before the first release: the schema and search. */
const SQUASHED = 2;

const TOO_NEW = [
  'A newer version of Daylight has removed things from this database that this version needs.',
  "It's unchanged. Start that version, or restore a backup made before it.",
].join(' ');

/** Creates the table of applied migrations, as drizzle's own migrator does, with a column for what one needs. */
async function createMigrationsTable(tx: postgres.TransactionSql): Promise<void> {
  const [schema] = await tx`select 1 from pg_namespace where nspname = 'drizzle'`;
  // Even with IF NOT EXISTS, creating a schema takes a right that the role may not have.
  if (!schema) await tx`create schema drizzle`;
  await tx`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`;
  const [column] = await tx`select 1 from pg_attribute
    where attrelid = 'drizzle.__drizzle_migrations'::regclass and attname = 'needs'`;
  if (!column) await tx`alter table drizzle.__drizzle_migrations add column needs bigint`;
}

async function applyMigration(tx: postgres.TransactionSql, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await tx.unsafe(statement);
  const { hash, at, needs } = migration;
  await tx`insert into drizzle.__drizzle_migrations (hash, created_at, needs) values (${hash}, ${at}, ${needs})`;
}

/**
 * Applies pending migrations in one transaction, whose lock makes other deployments wait. A session's lock wouldn't be
 * safe, because poolers share sessions between clients.
 * @returns how many there were
 */
async function applyPending(sql: postgres.Sql): Promise<number> {
  const migrations = readMigrations();
  const known = Math.max(...migrations.map(({ at }) => at));
  return sql.begin(async (tx) => {
    // Another deployment's migration may take longer than statements and waits for locks may otherwise.
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = 0`;
    await tx`select pg_advisory_xact_lock(hashtext('daylight:migrations'))`;
    await tx`set local lock_timeout to default`;
    await createMigrationsTable(tx);
    await recordBaseline(tx, migrations.slice(0, SQUASHED));
    const applied = await readApplied(tx);
    if (!isUsableBy(known, applied)) throw new Error(TOO_NEW);
    const pending = migrations.filter(({ at }) => at > applied.newest);
    for (const migration of pending) await applyMigration(tx, migration);
    return pending.length;
  });
}

/** @throws Error with what to do if the database would store or index words wrongly */
async function refuseWrongEncoding(sql: postgres.Sql): Promise<void> {
  const [support] = await sql.unsafe<TextSupport[]>(SELECT_TEXT_SUPPORT);
  const problem = support && describeEncodingProblem(support);
  if (problem) throw new Error(`${problem} Nothing was changed.`);
}

/**
 * Brings the database up to this code's schema and sets the timeouts of the app's sessions. Does nothing if both are
 * already done, or if a newer version has only added to the schema.
 * @returns how many migrations it applied
 * @throws Error with what to do if this code is too old for the database, the database too old for this code, or its
 *   encoding isn't UTF-8
 */
export async function migrate(databaseUrl: string): Promise<number> {
  const sql = openDatabase(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    await refuseWrongEncoding(sql);
    const applied = await applyPending(sql);
    await setTimeouts(sql);
    return applied;
  } finally {
    await sql.end();
  }
}
