import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { isUsableBy, readApplied } from './applied-migrations';
import { openDatabase } from './connect';
import { describeEncodingProblem, SELECT_TEXT_SUPPORT, type TextSupport } from './encoding';
import { setTimeouts } from './timeouts';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Where the migrations are: beside this file, or two folders above a program that `npm run build` has bundled. */
const FOLDERS = [path.join(here, 'migrations'), path.join(here, '../../db/migrations')];

export interface Migration {
  hash: string;
  /** When it was generated, in milliseconds. Names the migration in the database, and orders them. */
  at: number;
  statements: string[];
  /**
   * Set in a migration that removes what older code uses: the newest migration that code must know to run with it. See
   * "Expand, then contract" in CONTRIBUTING.md.
   */
  needs: number | null;
}

/** The first line of a migration that removes something: `-- contract: needs 1795420423742`. */
const CONTRACT = /^-- contract: needs (\d+)$/m;

/** Returns all migrations, oldest first. @throws Error if their folder is missing */
export function readMigrations(): [Migration, ...Migration[]] {
  const folder = FOLDERS.find((candidate) => existsSync(candidate));
  if (!folder) throw new Error('The folder db/migrations is missing. Deploy it along with the build.');
  const migrations = readMigrationFiles({ migrationsFolder: folder }).map(({ sql, hash, folderMillis }) => {
    const needs = CONTRACT.exec(sql.join('\n'))?.[1];
    return { hash, at: folderMillis, statements: sql, needs: needs ? Number(needs) : null };
  });
  return migrations as [Migration, ...Migration[]];
}

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
 * @throws Error with what to do if this code is too old for the database, or the database's encoding isn't UTF-8
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
