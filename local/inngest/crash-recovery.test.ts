import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import type { RunSummary } from './page';
import { type Runner, startRunner } from './server';
import {
  createInngestClient,
  EVENT_KEY,
  externalBaseUrl,
  SIGNING_KEY,
  startTestApp,
  waitUntil,
} from './test-runner';
import {
  type ChildServer,
  findRepeatedSteps,
  type StepStart,
  spawnServer,
  stepFunctions,
} from './test-steps';

const KILLS = 10;
const EVENTS_A_ROUND = 4;
const keys = { eventKey: EVENT_KEY, signingKey: SIGNING_KEY };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function runsAt(url: string): Promise<RunSummary[]> {
  return ((await (await fetch(`${url}/runs.json`)).json()) as { runs: RunSummary[] }).runs;
}

async function send(url: string, round: number): Promise<void> {
  const numbers = Array.from({ length: EVENTS_A_ROUND }, (_, n) => round * EVENTS_A_ROUND + n);
  await createInngestClient(url).send(
    numbers.map((journey) => ({ name: 'test/journey', data: { journey } })),
  );
}

/** Waits for a random number of further steps to start, so that the kill can happen at any point in a run. */
async function someProgress(read: () => StepStart[]): Promise<void> {
  const goal = read().length + 1 + Math.floor(Math.random() * 15);
  await waitUntil('some steps', () => read().length >= goal);
}

async function allEnded(url: string, count: number): Promise<RunSummary[]> {
  return waitUntil('the end of all runs', async () => {
    const runs = await runsAt(url).catch(() => []);
    return runs.length >= count && runs.every((run) => run.ended) ? runs : undefined;
  });
}

describe.skipIf(externalBaseUrl)('kill -9', () => {
  it('loses and repeats nothing when the runner is killed ten times', { timeout: 240_000 }, async () => {
    const begun: StepStart[] = [];
    let runner: ChildServer | undefined;
    let port = 0;
    const app = await startTestApp(
      'http://127.0.0.1:9',
      stepFunctions((step) => begun.push(step)),
    );
    const start = () =>
      spawnServer('runner', {
        ...keys,
        databaseUrl: database.url,
        schema: 'runner_killed',
        appUrl: app.url,
        port,
      });
    try {
      for (let round = 0; round < KILLS; round += 1) {
        runner = await start();
        port = runner.port;
        await send(`http://127.0.0.1:${port}`, round);
        await someProgress(() => begun);
        await runner.kill();
      }
      runner = await start();
      const runs = await allEnded(`http://127.0.0.1:${port}`, KILLS * EVENTS_A_ROUND);
      expect(runs.map((run) => run.status)).toEqual(Array(KILLS * EVENTS_A_ROUND).fill('completed'));
      expect(new Set(begun.map((step) => step.journey)).size).toBe(KILLS * EVENTS_A_ROUND);
      expect(findRepeatedSteps(begun)).toEqual([]);
    } finally {
      await runner?.kill();
      await app.close();
    }
  });

  it('loses and repeats nothing when the app is killed ten times', { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-'));
    const journal = join(folder, 'journal');
    writeFileSync(journal, '');
    const read = () =>
      readFileSync(journal, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as StepStart);
    let appUrl = '';
    let port = 0;
    let app: ChildServer | undefined;
    const runner: Runner = await startRunner({
      ...keys,
      databaseUrl: database.url,
      schema: 'app_killed',
      appUrl: () => appUrl || 'http://127.0.0.1:9',
      timeScale: 0.02,
    });
    const start = async () => {
      const child = await spawnServer('app', { baseUrl: runner.url, journal, port });
      port = child.port;
      appUrl = `http://127.0.0.1:${port}/api/inngest`;
      return child;
    };
    try {
      for (let round = 0; round < KILLS; round += 1) {
        await send(runner.url, round);
        app = await start();
        await someProgress(read);
        await app.kill();
      }
      app = await start();
      const runs = await allEnded(runner.url, KILLS * EVENTS_A_ROUND);
      expect(runs.map((run) => run.status)).toEqual(Array(KILLS * EVENTS_A_ROUND).fill('completed'));
      // A request that the app doesn't answer is a failed attempt.
      expect(runs.some((run) => run.attempts > 1)).toBe(true);
      expect(findRepeatedSteps(read())).toEqual([]);
    } finally {
      await app?.kill();
      await runner.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(externalBaseUrl)('two runners sharing a database', () => {
  it('run each step once, and the second takes over when the first is killed', async () => {
    const begun: StepStart[] = [];
    let second: Runner | undefined;
    const app = await startTestApp(
      'http://127.0.0.1:9',
      stepFunctions((step) => begun.push(step)),
    );
    const options = { ...keys, databaseUrl: database.url, schema: 'two', appUrl: () => app.url };
    const first = await spawnServer('runner', { ...options, appUrl: app.url });
    try {
      const leader = `http://127.0.0.1:${first.port}`;
      await send(leader, 0);
      await allEnded(leader, EVENTS_A_ROUND);
      second = await startRunner(options);
      await send(second.url, 1);
      await allEnded(second.url, 2 * EVENTS_A_ROUND);
      await send(second.url, 2);
      await waitUntil('a step', () => begun.some((step) => step.journey >= 2 * EVENTS_A_ROUND));
      await first.kill();
      await allEnded(second.url, 3 * EVENTS_A_ROUND);
      expect(new Set(begun.map((step) => step.journey)).size).toBe(3 * EVENTS_A_ROUND);
      expect(findRepeatedSteps(begun)).toEqual([]);
    } finally {
      await first.kill();
      await second?.close();
      await app.close();
    }
  });
});
