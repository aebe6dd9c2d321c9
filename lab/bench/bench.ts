import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { db } from '@/db/client';
import { freePort } from '@/local/up/ports';
import { type App, loadAppEnvironment, type Server, startApp } from './app';
import { startBareApp } from './bare-app';
import type { Measurement } from './measurements';
import { type Account, seedAccount, seedJournal } from './seed';

/** What the parts measure with; each thing is made when it is first asked for. */
export interface BenchContext {
  app(): Promise<App>;
  /** Stops the app and starts it again with the same data. */
  restartApp(): Promise<App>;
  bareApp(): Promise<Server>;
  /** An account with 200 entries. */
  journal(): Promise<Account & { entryId: string }>;
  /** An account without entries, with room for uploads. */
  uploader(): Promise<Account>;
  /** A folder for files, removed at the end. */
  folder: string;
  close(): Promise<void>;
}

/** One part of the bench, by whose name it can be run alone. */
export interface Benchmark {
  /** Whether it reads CPU time or memory from /proc. */
  linuxOnly: boolean;
  measure(bench: BenchContext): Promise<Measurement[]>;
}

function lazy<T>(make: () => Promise<T>): { (): Promise<T>; made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  return Object.assign(get, { made: () => made });
}

/** Prepares a bench with fresh data on a free port; nothing runs until it is asked for. */
export function createBenchContext(): BenchContext {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-bench-'));
  const dataDir = join(folder, 'data');
  let running: App | undefined;
  const app = lazy(async () => {
    running = await startApp(dataDir, await freePort());
    loadAppEnvironment(running);
    return running;
  });
  const bareApp = lazy(startBareApp);
  const seeded = <T>(seed: () => Promise<T>) =>
    lazy(async () => {
      await app();
      return seed();
    });
  return {
    folder,
    app: async () => running ?? app(),
    async restartApp() {
      const { url, stop } = await app();
      await (running?.stop ?? stop)();
      running = await startApp(dataDir, Number(new URL(url).port));
      return running;
    },
    bareApp,
    journal: seeded(() => seedJournal()),
    uploader: seeded(seedAccount),
    async close() {
      if (app.made()) {
        await app
          .made()
          ?.then(() => db().$client.end({ timeout: 1 }))
          .catch(() => undefined);
        await running?.stop();
      }
      await bareApp.made()?.then(
        (bare) => bare.stop(),
        () => undefined,
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
