import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { setTimeouts } from '@/db/timeouts';
import type { TestServer } from './global-setup';

/** A database of a test's own. */
export type TestDatabase = { url: string; drop(): Promise<void> };

let known: Promise<TestServer> | undefined;

/** Returns the server of the run, which starts with the first test that asks for it. */
export function testServer(): Promise<TestServer> {
  const ask = async () => {
    const response = await fetch(inject('testServer'));
    if (!response.ok) throw new Error(`The database for tests didn't start: ${await response.text()}`);
    return (await response.json()) as TestServer;
  };
  known ??= ask();
  return known;
}

async function withServerConnection(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres((await testServer()).url, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/**
 * Creates an empty database with all migrations applied, a copy of the run's template. Its URL has the rights of the
 * app's role and no more. `drop` removes the database even while connections are open.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { appUrl, poolerUrl, template } = await testServer();
  const url = new URL(appUrl);
  await withServerConnection(
    (sql) => sql`create database ${sql(name)} template ${sql(template)} owner ${sql(url.username)}`,
  );
  url.pathname = name;
  // Timeouts belong to a role in one database, so the copy doesn't have the template's.
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  await setTimeouts(sql).finally(() => sql.end());
  if (poolerUrl) url.host = new URL(poolerUrl).host;
  return {
    url: url.href,
    drop: () => withServerConnection((sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}

/**
 * Creates an empty database without migrations.
 * @param owner its owner; the app's role if not given
 * @param options what else CREATE DATABASE is told
 */
export async function createEmptyDatabase({
  owner,
  options = '',
}: {
  owner?: string;
  options?: string;
} = {}): Promise<TestDatabase> {
  const name = `test_empty_${randomBytes(8).toString('hex')}`;
  const url = new URL((await testServer()).appUrl);
  await withServerConnection(
    (sql) => sql`create database ${sql(name)} owner ${sql(owner ?? url.username)} ${sql.unsafe(options)}`,
  );
  url.pathname = name;
  return {
    url: url.href,
    drop: () => withServerConnection((sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}
