import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { setTimeouts } from '@/db/timeouts';

/** A database of a test's own. */
export type TestDatabase = { url: string; drop(): Promise<void> };

async function withServerConnection(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject('testServerUrl'), { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/**
 * Makes an empty database with all migrations applied, as a copy of the template that the global set-up has made. Its
 * address has the rights of the app's role and no more.
 * `drop` removes it, also while connections are open.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(inject('testAppUrl'));
  await withServerConnection(
    (sql) =>
      sql`create database ${sql(name)} template ${sql(inject('testTemplate'))} owner ${sql(url.username)}`,
  );
  url.pathname = name;
  // They belong to a role in one database, so the copy doesn't have the template's.
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  await setTimeouts(sql).finally(() => sql.end());
  return {
    url: url.href,
    drop: () => withServerConnection((sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}
