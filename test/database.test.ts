import postgres from 'postgres';
import { expect, test } from 'vitest';
import { createTestDatabase } from './database';

test('each fresh database is migrated and of its own', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const tables = async (url: string) => {
    const sql = postgres(url, { max: 1 });
    const rows = await sql`select tablename from pg_tables where schemaname = 'public'`;
    await sql.end();
    return rows.length;
  };
  const writer = postgres(first.url, { max: 1 });
  const before = await tables(second.url);
  expect(before).toBeGreaterThan(0);
  await writer`create table only_here (id integer)`;
  expect(await tables(first.url)).toBe(before + 1);
  expect(await tables(second.url)).toBe(before);
  // A connection that is still open does not keep a database from being dropped.
  await first.drop();
  await writer.end();
  await second.drop();
  await expect(tables(second.url)).rejects.toThrow(/does not exist/);
});
