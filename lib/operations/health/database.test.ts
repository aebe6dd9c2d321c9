import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { log } from '@/lib/foundation/log';
import { useFreshDatabase } from '@/test/app-database';
import { logMigrationProblems } from './database';
import { checkHealth } from './service';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase({ settings: { SERVERLESS: '1' } });
});
afterAll(() => end());

it('fails the health check and says why, while the migrations of this release haven’t run', async () => {
  const logged = vi.spyOn(log, 'error');
  const texts = () => logged.mock.calls.map(([, text]) => text).filter((text) => /database/i.test(`${text}`));
  await logMigrationProblems();
  expect(texts()).toEqual([]);
  expect((await checkHealth()).checks.database).toBe('ok');

  await db().execute(sql`
    delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`);
  await logMigrationProblems();
  expect(texts()).toEqual([expect.stringMatching(/older than this release.*npm run db:migrate/)]);
  await expect.poll(async () => (await checkHealth()).checks.database, { timeout: 30_000 }).toBe('failed');
  expect(texts()).toContainEqual(expect.stringMatching(/^health: The database is older/));
});
