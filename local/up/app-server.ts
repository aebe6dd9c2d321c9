import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readJson, writePrivately } from './data-dir';
import { lineSplitter } from './logs';
import { identifyProcess, isSameProcess, type ProcessIdentity, sendSignal, waitUntil } from './processes';
import type { SupervisedProcess } from './supervise';

export type App = SupervisedProcess & {
  pid: number;
  /** False once the process is gone. */
  alive(): boolean;
  /** Returns the last lines of its output, for the message if it doesn't start. */
  lastLines(): string[];
};

type Options = {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Where its process id is saved, so that the next start can stop it if it was left running. */
  pidFile: string;
  onLine: (line: string) => void;
};

/** Preloaded into Node children with `--import`. Ends them when this process is gone. */
export const parentWatchModule = new URL('parent-watch.mjs', import.meta.url).href;

/** Loaded into Node children with `--import`, so that they can run TypeScript wherever they start. */
export const tsxModule = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** The program that runs Next's commands, in the folder of a site. */
export const nextProgram = fileURLToPath(new URL('next.cjs', import.meta.url));

/** Preloaded into the site's server with `--require`. Connections wait until the site can take them. */
export const holdModule = fileURLToPath(
  new URL('../../lib/foundation/http/server/hold-connections.cjs', import.meta.url),
);

const hasGroups = process.platform !== 'win32';
/** How long in-flight requests may take when the app stops. */
const STOP_TIMEOUT_MS = 4000;

/** Stops a process that leads a group, and everything in the group, including ffmpeg and workers. */
async function killProcessGroup(leader: ProcessIdentity): Promise<void> {
  // Not SIGTERM, after which the site waits for a proxy to close its connections.
  sendSignal(leader.pid, 'SIGINT');
  await waitUntil(() => !isSameProcess(leader), STOP_TIMEOUT_MS);
  if (hasGroups) sendSignal(-leader.pid, 'SIGKILL');
  else if (isSameProcess(leader)) sendSignal(leader.pid, 'SIGKILL');
  await waitUntil(() => !isSameProcess(leader), 2000);
}

/** Removes the pid file unless a successor has replaced it. */
function removePidFile(pidFile: string, { pid, mark }: ProcessIdentity): void {
  const written = readJson<ProcessIdentity>(pidFile);
  if (written?.pid === pid && written.mark === mark) rmSync(pidFile, { force: true });
}

/** Stops an app that was left running by a killed start with the same data. */
export async function stopOrphanedApp(pidFile: string): Promise<void> {
  const leftover = readJson<ProcessIdentity>(pidFile);
  if (leftover && isSameProcess(leftover)) await killProcessGroup(leftover);
  rmSync(pidFile, { force: true });
}

/**
 * Starts the app in its own process group, so that Ctrl-C in the terminal only reaches `up`, and the app's children
 * stop with it.
 */
export async function startApp({ command, args, cwd, env, pidFile, onLine }: Options): Promise<App> {
  const child = spawn(command, args, {
    cwd,
    env: { ...env, DAYLIGHT_GROUP_LEADER: '1' },
    detached: hasGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const leader = identifyProcess(child.pid ?? 0);
  writePrivately(pidFile, leader);
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    const lines = lineSplitter((line) => {
      last.push(line);
      if (last.length > 30) last.shift();
      onLine(line);
    });
    stream.setEncoding('utf8').on('data', lines.push).on('end', lines.flush);
  }
  let alive = true;
  let stopping = false;
  const callbacks: (() => void)[] = [];
  child.once('exit', () => {
    alive = false;
    if (hasGroups) sendSignal(-leader.pid, 'SIGKILL');
    removePidFile(pidFile, leader);
    if (!stopping) for (const callback of callbacks) callback();
  });
  return {
    pid: leader.pid,
    alive: () => alive,
    lastLines: () => last,
    onExit: (callback) => callbacks.push(callback),
    stop: async () => {
      stopping = true;
      if (alive) await killProcessGroup(leader);
      // The exit event, which removes the pid file, comes shortly after the process is gone.
      await waitUntil(() => !alive, 2000);
    },
  };
}

/**
 * Waits until `address` responds with 200.
 * @returns null on success, or else the text of the last response, or '' if there was none
 */
export async function waitHealthy(
  address: string,
  app: Pick<App, 'alive'>,
  milliseconds: number,
): Promise<string | null> {
  let answer = '';
  const healthy = await waitUntil(
    async () => {
      if (!app.alive()) return true;
      try {
        const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
        answer = response.ok ? '' : await response.text();
        return response.status === 200;
      } catch {
        return false;
      }
    },
    milliseconds,
    100,
  );
  return healthy && app.alive() ? null : answer;
}
