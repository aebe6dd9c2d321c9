import { join } from 'node:path';
import { parentWatchModule, startApp } from './app-server';
import { projectRoot } from './data-dir';
import { openLog, terminalLine } from './logs';
import type { Shutdown } from './shutdown';
import { supervise } from './supervise';

/** How many workers run, so that one can end while another goes on. */
const WORKERS = 2;

type Options = {
  dev: boolean;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  announce: (line: string) => void;
  stopping: Shutdown;
};

/** Starts workers, which run the jobs in place of the site, and keeps them running. */
export async function startWorkers({ dev, env, dataDir, announce, stopping }: Options): Promise<void> {
  const log = openLog(join(dataDir, 'logs', 'workers.log'));
  stopping.onStop(() => log.close());
  const kept: { stop(): Promise<void> }[] = [];
  stopping.onStop(() => Promise.all(kept.map((worker) => worker.stop())));
  for (let number = 1; number <= WORKERS; number += 1) {
    const start = () =>
      startApp({
        command: process.execPath,
        args: workerArguments(dev),
        cwd: projectRoot,
        env,
        pidFile: workerPidFile(dataDir, number),
        onLine: (line) => {
          log.write(`${line}\n`);
          const shown = terminalLine(line);
          if (shown !== null) console.log(`  worker ${number}: ${shown}`);
        },
      });
    kept.push(supervise(`worker ${number}`, await start(), start, announce));
  }
}

/** Returns the arguments with which Node runs a worker. */
export function workerArguments(dev: boolean): string[] {
  // Under `dev`, the sources: the build may be older.
  const program = dev ? ['--import', 'tsx', 'scripts/worker.ts'] : ['scripts/run.mjs', 'worker'];
  return ['--import', parentWatchModule, ...program];
}

const workerPidFile = (dataDir: string, number: number) => join(dataDir, `worker-${number}.pid`);

/** Returns the files with the workers' process ids, from this start or an earlier one. */
export const workerPidFiles = (dataDir: string): string[] =>
  Array.from({ length: WORKERS }, (_, index) => workerPidFile(dataDir, index + 1));
