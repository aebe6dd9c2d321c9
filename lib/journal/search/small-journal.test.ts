import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dashboard } from '@/lib/journal/entries/dashboard';
import { insertSampleJournals } from '@/local/demo/journals';
import { useFreshDatabase } from '@/test/app-database';
import { searchEntries } from '@/test/entry-fixtures';
import { countBlocksRead, explainQueries } from '@/test/query-plans';

const user = { id: crypto.randomUUID(), email: 'small@example.com', passwordHash: '' };
let end: () => Promise<void>;
let client: postgres.Sql;

/**
 * Other people's entries. Scanning all of them looks cheap to the planner, which doesn't know how large a vector is.
 */
beforeAll(async () => {
  end = await useFreshDatabase();
  client = postgres(process.env.DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await insertSampleJournals(client, {
    users: [user],
    entries: 120,
    words: 800,
    until: '2026-01-15',
    years: 10,
  });
  await client`delete from entry_tags`;
});
afterAll(async () => {
  await client.end();
  await end();
});

const QUERIES = ['garden', 'th', 'thorncliif', 'happy piano river', '"good place to live"'];

/** A few thousand with the index; a hundred thousand if each month scans all rows. */
const MAX_BLOCKS = 20_000;

it.each(['missing', 'fresh'])('reads no more than the index says, with %s statistics', async (statistics) => {
  if (statistics === 'fresh') await client`vacuum analyze`;
  for (const query of QUERIES) {
    expect([
      query,
      countBlocksRead(await explainQueries(() => searchEntries(user.id, query))) < MAX_BLOCKS,
    ]).toEqual([query, true]);
  }
  expect(countBlocksRead(await explainQueries(() => dashboard(user.id)))).toBeLessThan(MAX_BLOCKS);
});
