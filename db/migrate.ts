import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import { openDatabase } from './connect';
import { setTimeouts } from './timeouts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'migrations');

interface Journal {
  entries: { when: number; tag: string }[];
}

/**
 * Refuses a database whose migrations are ahead of this code: running older code on it could lose data.
 * @throws Error with what to do about it
 */
export async function assertSchemaNotNewer(databaseUrl: string): Promise<void> {
  const journal: Journal = JSON.parse(await readFile(path.join(folder, 'meta', '_journal.json'), 'utf8'));
  const newest = Math.max(...journal.entries.map((entry) => entry.when));
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

/** A connection whose transactions may take as long as they need. Its locks are still waited for as briefly as others. */
function patientConnection(databaseUrl: string): postgres.Sql {
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
 * Brings the database up to this code's schema, and sets the timeouts of the app's sessions. Does nothing when all is
 * there already.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  await assertSchemaNotNewer(databaseUrl);
  const sql = patientConnection(databaseUrl);
  try {
    await applyMigrations(drizzle(sql), { migrationsFolder: folder });
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
