import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type App, parentWatchModule, startApp, stopOrphanedApp } from './app-server';
import { readJson } from './data-dir';
import { spawnProgram } from './fixtures/node-process';
import { identifyProcess, isSameProcess, type ProcessIdentity, sendSignal, waitUntil } from './processes';
import { supervise } from './supervise';

const STAYS = 'setInterval(() => undefined, 60_000);';
/** Starts a child that ignores SIGTERM, prints its id, and keeps running. */
const STUBBORN_CHILD = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => undefined); ${STAYS}"]);
  console.log(child.pid);
  ${STAYS}`;

const folder = mkdtempSync(join(tmpdir(), 'daylight-app-'));
const pidFile = join(folder, 'app.pid');
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function start(script: string, onLine: (line: string) => void = () => undefined): Promise<App> {
  const args = ['--import', parentWatchModule, '-e', script];
  return startApp({ command: process.execPath, args, cwd: folder, env: process.env, pidFile, onLine });
}

const gone = (mark: ProcessIdentity): Promise<boolean> => waitUntil(() => !isSameProcess(mark), 60_000);

test('restarts a killed app every time, until it is stopped', async () => {
  const pids: number[] = [];
  const restart = async () => {
    const app = await start(STAYS);
    pids.push(app.pid);
    return app;
  };
  const kept = supervise('app', await restart(), restart, () => undefined);
  stops.push(() => kept.stop());
  for (const round of [1, 2, 3]) {
    sendSignal(pids.at(-1) ?? 0, 'SIGKILL');
    expect(await waitUntil(() => pids.length === round + 1, 60_000)).toBe(true);
  }
  const last = identifyProcess(pids.at(-1) ?? 0);
  await kept.stop();
  expect(isSameProcess(last)).toBe(false);
  expect(readJson(pidFile)).toBeNull();
});

test("a stopped app's pid file is gone when stop returns, and its successor's stays", async () => {
  for (let round = 0; round < 5; round += 1) {
    const app = await start(STAYS);
    await app.stop();
    expect(app.alive()).toBe(false);
    expect(readJson(pidFile)).toBeNull();
  }
  const old = await start(STAYS);
  const successor = await start(STAYS);
  stops.push(() => successor.stop());
  await old.stop();
  expect(readJson(pidFile)).toMatchObject({ pid: successor.pid });
});

test('retries a failed restart, until it is stopped', async () => {
  let tries = 0;
  const lines: string[] = [];
  const first = await start(STAYS);
  const kept = supervise(
    'app',
    first,
    async () => {
      tries += 1;
      throw new Error('no room');
    },
    (line) => lines.push(line),
  );
  sendSignal(first.pid, 'SIGKILL');
  expect(await waitUntil(() => tries >= 3, 60_000)).toBe(true);
  await kept.stop();
  const before = tries;
  expect(lines.join('\n')).toContain('no room');
  // The next attempt would have been within this time.
  expect(await waitUntil(() => tries > before, 2000)).toBe(false);
});

test("the app's children end with it", async () => {
  const lines: string[] = [];
  const app = await start(STUBBORN_CHILD, (line) => lines.push(line));
  stops.push(() => app.stop());
  await waitUntil(() => lines.length > 0, 60_000);
  const child = identifyProcess(Number(lines[0]));
  expect(isSameProcess(child)).toBe(true);
  sendSignal(app.pid, 'SIGKILL');
  expect(await gone(child)).toBe(true);
});

test('finds and stops an app that a killed start left running', async () => {
  const lines: string[] = [];
  const app = await start(STUBBORN_CHILD, (line) => lines.push(line));
  await waitUntil(() => lines.length > 0, 60_000);
  const marks = [identifyProcess(app.pid), identifyProcess(Number(lines[0]))];
  await stopOrphanedApp(pidFile);
  for (const mark of marks) expect(await gone(mark)).toBe(true);
  await stopOrphanedApp(pidFile);
});

test('children and grandchildren end when their parent is killed', async () => {
  const parent = await spawnProgram('local/up/fixtures/app-parent.ts', [folder]);
  await parent.shows(/app \d+\nchild \d+/);
  const numbers = parent.output().match(/\d+/g)?.map(Number) ?? [];
  const marks = numbers.map(identifyProcess);
  expect(marks.map(isSameProcess)).toEqual([true, true]);
  parent.child.kill('SIGKILL');
  for (const mark of marks) expect(await gone(mark)).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});
