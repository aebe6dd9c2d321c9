import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { SERVERS } from '@/lab/real/plan';
import { findProgram } from '@/lab/real/process';
import { testedService } from '@/test/tested-services';
import { newDataDir, type RunningApp, removeDataDir, startRunningApp } from './running-app';

/** A copy of Daylight for one test, which may break it. */
interface OwnCopy {
  dataDir: string;
  /** Starts it, again with the same data if it has been killed. */
  start(env?: Record<string, string>): Promise<RunningApp>;
}

/**
 * Starts another job service like the one that `npm run lab -- real` runs the tests against: it would give the jobs of
 * this copy to the one that all specs share. Nothing is started for the stand-in, which each copy has anyway.
 * @throws Error for a job service that isn't of this machine
 */
async function startOwnJobService(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  if (!testedService('jobs')) return { env: {}, stop: async () => undefined };
  const server = SERVERS.find(({ name }) => name === process.env.TEST_REAL_SERVER);
  if (!server) throw new Error('This test needs a job service of its own. Run it by `npm run lab -- real`.');
  const programs = Object.fromEntries(server.programs.map((name) => [name, findProgram(name) ?? '']));
  // Not in the copy's folder, since whatever runs on that may get killed.
  const dir = mkdtempSync(join(tmpdir(), 'daylight-e2e-jobs-'));
  const { env, stop } = await server.start({ programs, dir, origins: [] });
  return {
    env,
    stop: async () => {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Tests that break what they run on, so that each needs a copy of its own. */
export const test = base.extend<{ own: OwnCopy }>({
  own: async ({}, use) => {
    const dataDir = newDataDir();
    const jobs = await startOwnJobService();
    const started: RunningApp[] = [];
    await use({
      dataDir,
      start: async (env) => {
        const app = await startRunningApp(dataDir, { ...jobs.env, ...env });
        started.push(app);
        return app;
      },
    });
    for (const app of started)
      if (app.child.exitCode === null && app.child.signalCode === null) await app.stop();
    await jobs.stop();
    removeDataDir(dataDir);
  },
});
