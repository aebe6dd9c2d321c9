import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import { recordBaseline } from './baseline';
import { openDatabase } from './connect';
import { isDuplicateObject } from './errors';
import { setTimeouts } from './timeouts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'migrations');

/** How many migrations replace those from before the first release: the schema and search. */
const SQUASHED = 2;

/** Enough for several deployments that start at the same time. */
const MAX_ATTEMPTS = 5;

/**
 * Rejects a database whose migrations are ahead of this code, because older code could lose its data.
 * @throws Error with what to do about it
 */
export async function assertSchemaNotNewer(databaseUrl: string): Promise<void> {
  const newest = Math.max(
    ...readMigrationFiles({ migrationsFolder: folder }).map((migration) => migration.folderMillis),
  );
  const sql = openDatabase(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
    if (!table?.name) return;
    const [row] = await sql`select max(created_at) as newest from drizzle.__drizzle_migrations`;
    if (Number(row?.newest ?? 0) > newest) {
      throw new Error(
        'This database was made by a newer version of Daylight. Start that version, or restore a backup made before it.',
      );
    }
  } finally {
    await sql.end();
  }
}

/** Opens a connection whose transactions have no time limit. Waits for locks still time out as they do elsewhere. */
function openUnlimited(databaseUrl: string): postgres.Sql {
  const sql = openDatabase(databaseUrl, { max: 1, onnotice: () => {} });
  const begin: typeof sql.begin = sql.begin.bind(sql);
  return Object.assign(sql, {
    begin: <T>(work: (tx: postgres.TransactionSql) => T | Promise<T>) =>
      begin(async (tx) => {
        await tx`set local statement_timeout = 0`;
        return work(tx);
      }),
  });
}

/**
 * Applies pending migrations, all in one transaction. If another deployment applies the same ones at the same time, this
 * one fails without an effect and finds them applied when it tries again. A session's lock wouldn't be safe: poolers
 * share sessions between clients.
 */
async function applyPending(sql: postgres.Sql): Promise<void> {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    try {
      return await applyMigrations(drizzle(sql), { migrationsFolder: folder });
    } catch (error) {
      if (left === 0 || !isDuplicateObject(error)) throw error;
    }
  }
}

/**
 * Brings the database up to this code's schema and sets the timeouts of the app's sessions. Does nothing if both are
 * already done.
 * @throws Error with what to do if the database is newer than this code, or too old for it
 */
export async function migrate(databaseUrl: string): Promise<void> {
  await assertSchemaNotNewer(databaseUrl);
  const sql = openUnlimited(databaseUrl);
  try {
    await recordBaseline(sql, readMigrationFiles({ migrationsFolder: folder }).slice(0, SQUASHED));
    await applyPending(sql);
    await setTimeouts(sql);
  } finally {
    await sql.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is missing.');
  await migrate(url);
}
