import { sql as raw } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import type { duringTransaction } from '@/test/open-transaction';
import type { EventPayload } from './protocol';
import type { FunctionDefinition } from './registry';
import { openStore, type Sql } from './store';

const SCHEMA = 'races';
export const NOW = 1_800_000_000_000;

export const definition: FunctionDefinition = {
  id: 'testing-note',
  name: 'Note',
  events: [{ name: 'test/note' }],
  crons: [],
  maxAttempts: 4,
  concurrency: [],
  cancelOn: [],
};

export const event = (name = 'test/note', data: EventPayload['data'] = {}): EventPayload => ({
  id: 'an event',
  name,
  data,
  ts: NOW,
});

/** Runs statements in the open transaction, on the runner's schema. */
export const statements =
  (...texts: string[]) =>
  async (tx: Parameters<Parameters<typeof duringTransaction>[0]>[0]) => {
    await tx.execute(raw.raw(`SET LOCAL search_path TO ${SCHEMA}`));
    for (const text of texts) await tx.execute(raw.raw(text));
  };

/** Gives a test file a runner's schema in the app's database, empty before each test. Call it at the top of the file. */
export function setUpStore() {
  let end: () => Promise<void>;
  let sql: Sql;
  beforeAll(async () => {
    end = await useFreshDatabase();
    sql = await openStore(process.env['DATABASE_URL'] ?? '', SCHEMA);
  });
  afterAll(async () => {
    await sql.end();
    await end();
  });
  beforeEach(async () => {
    await sql`TRUNCATE runs, events, seen, crons CASCADE`;
    await sql`UPDATE leader SET generation = 1`;
  });
  return {
    pool: () => sql,
    /** Returns everything that the runner knows. */
    rows: async () => ({
      runs: await sql`SELECT * FROM runs ORDER BY id`,
      queue: await sql`SELECT * FROM queue ORDER BY id`,
      steps: await sql`SELECT * FROM steps ORDER BY seq`,
      events: await sql`SELECT * FROM events ORDER BY seq`,
    }),
  };
}
