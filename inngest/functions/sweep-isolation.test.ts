import { eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { jobSettings } from '@/lib/operations/health/jobs';
import { secondsSinceEventRun, secondsSinceJobRun } from '@/lib/video/processing/process-reports';
import { type RunnerFixture, startRunnerFixture } from '@/local/inngest/test-runner';
import { startLocalServices } from '@/test/services';
import { sweep } from './sweep';

/** Tables that tasks of the sweep clean up: more than it runs at once. */
const HELD = [
  'sessions',
  'known_devices',
  'security_notices',
  'spent_challenges',
  'audit_events',
  'rate_limits',
];
/** For what hangs, and no measure of speed. */
const WAIT = { timeout: 120_000, interval: 50 };

let services: Awaited<ReturnType<typeof startLocalServices>>;
let stage: RunnerFixture;

beforeAll(async () => {
  services = await startLocalServices();
  const owner = postgres(services.databaseUrl, { max: 1 });
  // A task that waits for a lock hangs for as long as the test holds it.
  const [{ name } = { name: '' }] = await owner<{ name: string }[]>`select current_database() as name`;
  for (const setting of ['lock_timeout', 'statement_timeout']) {
    await owner`alter role session_user in database ${owner(name)} set ${owner(setting)} = 0`;
  }
  await owner.end();
  stage = await startRunnerFixture(services.databaseUrl, (client) => [sweep(client, 500)]);
});
afterAll(async () => {
  await stage.close();
  await services.end();
});

async function isSent(id: string): Promise<boolean> {
  return (await db().select().from(outbox).where(eq(outbox.id, id))).length === 0;
}

it('ends each run and delivers the outbox while six other tasks hang', async () => {
  const holder = postgres(services.databaseUrl, { max: 1 });
  const reserved = await holder.reserve();
  try {
    await reserved`begin`;
    for (const table of HELD) await reserved`lock table ${reserved(table)} in access exclusive mode`;
    for (let round = 1; round <= 3; round += 1) {
      const id = `round-${round}`;
      await enqueueEvent(db(), id, { name: 'entry/purged', data: { entryId: 'e', userId: 'u' } });
      const before = (await stage.runs()).length;
      stage.advance(120_000);
      await vi.waitFor(async () => {
        const runs = (await stage.runs()).slice(0, -before || undefined);
        expect(runs.length).toBeGreaterThan(0);
        // Inngest bills each step.
        for (const { status, steps } of runs) expect([status, steps]).toEqual(['completed', 0]);
        expect(await isSent(id)).toBe(true);
      }, WAIT);
    }
  } finally {
    await reserved`rollback`;
    reserved.release();
    await holder.end();
  }
  // Inngest's clock started these. They show that jobs run, and not that events start them, too.
  await vi.waitFor(async () => expect(await secondsSinceJobRun()).toBeLessThan(120), WAIT);
  expect(await secondsSinceEventRun(jobSettings())).toBeNull();
  // The tasks that hung end now, and run again.
  await db().execute(sql`insert into rate_limits (key, points, expire) values ('old', 1, 1)`);
  await vi.waitFor(async () => {
    stage.advance(120_000);
    expect(await db().execute(sql`select from rate_limits where key = 'old'`)).toHaveLength(0);
  }, WAIT);
});
