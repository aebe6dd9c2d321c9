import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocalServices } from '@/test/services';
import { db } from './client';
import { openDatabase } from './connect';
import { executePrepared } from './prepared';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  process.env.DATABASE_PREPARED_STATEMENTS = '1';
  services = await startLocalServices();
});
afterAll(() => services.end());

const double = async (n: number): Promise<unknown> =>
  (await executePrepared<{ doubled: number }>(sql`select 2 * ${n}::int as doubled`))[0]?.doubled;

const preparedTexts = async (): Promise<unknown[]> =>
  (await db().execute<{ statement: string }>(sql`select statement from pg_prepared_statements`)).map(
    ({ statement }) => statement,
  );

it('prepares a text once, whatever its values', async () => {
  expect([await double(1), await double(2), await double(3)]).toEqual([2, 4, 6]);
  expect(await preparedTexts()).toEqual(['select 2 * $1::int as doubled']);
});

it('prepares nothing for other programs, such as migrations, as not every pooler knows it', async () => {
  const other = openDatabase(services.databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    await other`select ${1}::int`;
    expect([...(await other`select statement from pg_prepared_statements`)]).toEqual([]);
  } finally {
    await other.end();
  }
});

it('prepares anew what the connection has forgotten, as when the session was reset', async () => {
  await double(1);
  await db().execute(sql`deallocate all`);
  expect(await preparedTexts()).toEqual([]);
  expect(await double(4)).toBe(8);
});

it('prepares anew what a migration has changed', async () => {
  await db().execute(sql`create table changing (a int)`);
  await db().execute(sql`insert into changing values (1)`);
  const read = () => executePrepared(sql`select * from changing where a = ${1}`);
  expect(await read()).toEqual([{ a: 1 }]);
  await db().execute(sql`alter table changing add column b int default 2`);
  expect(await read()).toEqual([{ a: 1, b: 2 }]);
});
