import type { ServerProcess } from '@/lab/real/process';
import { type App, startApp } from '@/local/up/app-server';
import { openLog } from '@/local/up/logs';
import { waitUntil } from '@/local/up/processes';

/** A part of the site that can be killed and started again at the same address. */
export interface Service {
  name: string;
  /** The id of its process while it runs, if it's one of the app's. */
  pid(): number | null;
  /** Starts it, and waits until it answers. */
  start(): Promise<void>;
  /** Ends it with SIGKILL, and what it has started with it, as a supervisor does. */
  kill(): Promise<void>;
  /** Asks for an orderly end and waits for it. */
  stop(): Promise<void>;
}

/** Returns a service of a server that isn't ours. @param start starts it, and waits until it answers */
export function serverService(name: string, start: () => Promise<ServerProcess>): Service {
  let running: ServerProcess | null = null;
  const end = async (how: 'kill' | 'stop') => {
    const ending = running;
    running = null;
    await ending?.[how]();
  };
  return {
    name,
    pid: () => null,
    start: async () => {
      running = await start();
    },
    kill: () => end('kill'),
    stop: () => end('stop'),
  };
}

const COLLECTS_GARBAGE = ['--expose-gc', '--import', new URL('collect-garbage.mjs', import.meta.url).href];

/** How long a process of the app may take to answer, in milliseconds. It can't while other services are down. */
const START_TIMEOUT_MS = 120_000;

/**
 * Returns a service of a process of the app.
 * @param isReady whether it answers, by the lines it has printed so far
 */
export function appService(options: {
  name: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Where its id and its log go. */
  dir: string;
  isReady(lines: readonly string[]): boolean | Promise<boolean>;
}): Service {
  const { name, args, cwd, env, dir, isReady } = options;
  const file = `${dir}/${name.replace(' ', '-')}`;
  const log = openLog(`${file}.log`);
  let running: App | null = null;
  const end = async (how: (app: App) => Promise<unknown>) => {
    const ending = running;
    running = null;
    if (ending) await how(ending);
  };
  return {
    name,
    pid: () => running?.pid ?? null,
    async start() {
      const lines: string[] = [];
      const onLine = (line: string) => {
        lines.push(line);
        log.write(`${line}\n`);
      };
      const app = await startApp({
        command: process.execPath,
        args: [...COLLECTS_GARBAGE, ...args],
        cwd,
        env,
        pidFile: `${file}.pid`,
        onLine,
      });
      running = app;
      const isUp = await waitUntil(
        async () => !app.alive() || (await Promise.resolve(isReady(lines)).catch(() => false)),
        START_TIMEOUT_MS,
        100,
      );
      if (!isUp || !app.alive()) throw new Error(`${name} didn’t start:\n${app.lastLines().join('\n')}`);
    },
    kill: () =>
      end(async (app) => {
        process.kill(app.pid, 'SIGKILL');
        await waitUntil(() => !app.alive(), 10_000, 10);
      }),
    stop: () => end((app) => app.stop()),
  };
}
