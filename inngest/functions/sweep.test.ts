import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RunnerFixture, startRunnerFixture } from '@/local/inngest/test-runner';
import { makeUser } from '@/test/factories';
import { LEFTOVERS } from '@/test/leftovers';
import { startLocalServices } from '@/test/services';
import { sweep } from './sweep';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let stage: RunnerFixture;
let userId: string;

beforeAll(async () => {
  services = await startLocalServices();
  process.env.TMPDIR = services.folder('tmp');
  const owner = postgres(services.databaseUrl, { max: 1 });
  // A part that waits for a lock is to wait for as long as a test holds it.
  const [{ name } = { name: '' }] = await owner<{ name: string }[]>`select current_database() as name`;
  for (const setting of ['lock_timeout', 'statement_timeout']) {
    await owner`alter role session_user in database ${owner(name)} set ${owner(setting)} = 0`;
  }
  await owner.end();
  userId = (await makeUser()).id;
  stage = await startRunnerFixture(services.databaseUrl, (client) => [sweep(client)]);
});
afterAll(async () => {
  await stage.close();
  await services.end();
});

/** For what hangs, and no measure of speed. */
const WAIT = { timeout: 120_000, interval: 50 };
const names = Object.keys(LEFTOVERS);

async function left(): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => ((await LEFTOVERS[name]?.isThere()) ? name : [])),
  );
  return found.flat();
}

const makeAll = async () => {
  for (const name of names) await LEFTOVERS[name]?.make(userId);
};

/** Lets the next run start. @returns gives the run, as it then is */
async function nextRun() {
  const known = new Set((await stage.runs()).map(({ id }) => id));
  stage.advance(120_000);
  return vi.waitFor(async () => {
    const run = (await stage.runs()).findLast(({ id }) => !known.has(id));
    if (!run) throw new Error('no run has begun');
    return async () => (await stage.runs()).find(({ id }) => id === run.id);
  }, WAIT);
}

async function sweptRun() {
  const run = await nextRun();
  return vi.waitFor(async () => {
    const now = await run();
    if (!now?.ended) throw new Error('the run has not ended');
    return now;
  }, WAIT);
}

it.each(names)(
  'does the rest of its work when %s fails, says so, and tries again the next time',
  async (name) => {
    await makeAll();
    const mend = await LEFTOVERS[name]?.breakIt();
    try {
      // A run of the real clock may come in between, of which a part is still under way then.
      await vi.waitFor(async () => {
        const run = await sweptRun();
        expect(await left()).toEqual(name === 'files' ? [] : [name]);
        expect([run.status, run.error]).toEqual(['failed', `Error: These parts failed: ${name}`]);
      }, WAIT);
    } finally {
      await mend?.();
    }
    await vi.waitFor(async () => {
      expect((await sweptRun()).status).toBe('completed');
      expect(await left()).toEqual([]);
    }, WAIT);
  },
);

it('does the rest of its work each time while one part takes longer', async () => {
  const holder = postgres(services.databaseUrl, { max: 1 });
  const reserved = await holder.reserve();
  const runs: Awaited<ReturnType<typeof nextRun>>[] = [];
  // An account takes its events with it.
  const waiting = ['activity', 'deletions'];
  try {
    await makeAll();
    await reserved`begin`;
    await reserved`lock table audit_events in access exclusive mode`;
    const others = async () => {
      for (const name of names) {
        if (!waiting.includes(name)) expect(await LEFTOVERS[name]?.isThere(), name).toBe(false);
      }
    };
    for (let round = 0; round < 2; round += 1) {
      runs.push(await nextRun());
      await vi.waitFor(others, WAIT);
      for (const name of names) if (!waiting.includes(name)) await LEFTOVERS[name]?.make(userId);
    }
  } finally {
    await reserved`rollback`;
    reserved.release();
    await holder.end();
  }
  expect(runs).toHaveLength(2);
  for (const run of runs) await vi.waitFor(async () => expect((await run())?.status).toBe('completed'), WAIT);
});
