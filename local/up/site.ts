import { join } from 'node:path';
import { type BindScope, forwardFromIpv6 } from '../bind-host';
import { type App, parentWatchModule, startApp, waitHealthy } from './app-server';
import { projectRoot } from './data-dir';
import { openLog, terminalLine } from './logs';
import { waitUntil } from './processes';
import type { Shutdown } from './shutdown';
import { supervise } from './supervise';
import { userError } from './user-error';

export type ServerCommand = [string, ...string[]];

type Options = {
  command: ServerCommand;
  port: number;
  reach: BindScope;
  /** How long the first answer may take, in milliseconds. */
  timeoutMs: number;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  syncJobs: () => Promise<void>;
  announce: (line: string) => void;
  note: (line: string) => void;
  stopping: Shutdown;
};

/** Next's own server: what was built, or with `dev` compiled as it is asked for. */
export function nextCommand(dev: boolean, port: number, reach: BindScope): ServerCommand {
  const next = join(projectRoot, 'node_modules', 'next', 'dist', 'bin', 'next');
  // Half a gigabyte is the app's bound; left to itself V8 collects late on a machine with much memory. In megabytes.
  const heap = dev ? [] : ['--max-old-space-size=256'];
  return [
    process.execPath,
    ...heap,
    '--import',
    parentWatchModule,
    next,
    dev ? 'dev' : 'start',
    '-p',
    String(port),
    ...(reach === 'loopback' ? ['-H', '127.0.0.1'] : []),
  ];
}

/** Starts the site, keeps it running, and resolves when a first request succeeds. */
export async function startSite(options: Options): Promise<void> {
  const { port, reach, timeoutMs, env, dataDir, syncJobs, announce, note, stopping } = options;
  const log = openLog(join(dataDir, 'logs', 'app.log'));
  stopping.onStop(() => log.close());
  const [command, ...args] = options.command;
  const origin = `http://127.0.0.1:${port}`;
  // What Next says while it starts is for the log; the terminal gets it only when the start fails.
  let answering = false;

  const start = async (): Promise<App> => {
    answering = false;
    const app = await startApp({
      command,
      args,
      cwd: projectRoot,
      env,
      pidFile: join(dataDir, 'app.pid'),
      onLine: (line) => {
        log.write(`${line}\n`);
        const shown = answering ? terminalLine(line) : null;
        if (shown !== null) console.log(`  app: ${shown}`);
      },
    });
    void sync(app);
    return app;
  };
  /** The runner asks the app for its functions, so it must answer first, with whatever status. */
  const sync = async (app: App): Promise<void> => {
    const answers = () => fetch(`${origin}/api/health`).then(Boolean, () => false);
    await waitUntil(async () => !app.alive() || stopping.signal.aborted || (await answers()), timeoutMs, 100);
    if (!app.alive() || stopping.signal.aborted) return;
    answering = true;
    await syncJobs().catch((error: unknown) => note(`jobs: the app's functions could not be read: ${error}`));
  };

  if (reach === 'loopback') stopping.onStop(await forwardFromIpv6(port));
  const app = await start();
  // Until it is ready its end is a failed start, and nothing to be healed.
  const cancel = stopping.onStop(() => app.stop());
  const alive = () => app.alive() && !stopping.signal.aborted;
  const failure = await waitHealthy(`${origin}/api/health`, { alive }, timeoutMs);
  if (failure !== null && !stopping.signal.aborted) {
    const reason = app.alive() ? `/api/health answers ${failure || 'nothing'}` : 'it has ended';
    throw userError(`The site did not start: ${reason}.\n${app.lastLines().slice(-15).join('\n')}`);
  }
  cancel();
  const kept = supervise('site', app, start, announce);
  stopping.onStop(() => kept.stop());
}
