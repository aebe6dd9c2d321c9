import { type BindScope, forwardFromIpv6 } from '../bind-host';
import { type App, holdModule, nextProgram, parentWatchModule, startApp, waitHealthy } from './app-server';
import { projectRoot } from './data-dir';
import { terminalLine } from './logs';
import { waitUntil } from './processes';
import type { Shutdown } from './shutdown';
import { supervise } from './supervise';
import { userError } from './user-error';

export type ServerCommand = [string, ...string[]];

type Options = {
  command: ServerCommand;
  /** Where its process id is saved. */
  pidFile: string;
  port: number;
  reach: BindScope;
  /** How long the first response may take, in milliseconds. */
  timeoutMs: number;
  env: NodeJS.ProcessEnv;
  log: { write(text: string): void };
  syncJobs: () => Promise<void>;
  announce: (line: string) => void;
  note: (line: string) => void;
  stopping: Shutdown;
};

/** Returns the command of Next's server, which serves the build or, with `dev`, compiles pages on demand. */
export function nextCommand(dev: boolean, port: number, reach: BindScope): ServerCommand {
  // In megabytes. The first keeps the app below 500 MB, because V8 collects late on a machine with a lot of memory. With the
  // second, objects that live as long as a page is rendered are copied half as often.
  const heap = dev ? [] : ['--max-old-space-size=1024', '--max-semi-space-size=32'];
  const hold = dev ? [] : ['--require', holdModule];
  return [
    process.execPath,
    ...heap,
    ...hold,
    '--import',
    parentWatchModule,
    nextProgram,
    dev ? 'dev' : 'start',
    '-p',
    String(port),
    ...(reach === 'loopback' ? ['-H', '127.0.0.1'] : []),
  ];
}

/** Starts the site, keeps it running, and resolves when the first request succeeds. */
export async function startSite(options: Options): Promise<void> {
  const { pidFile, port, reach, timeoutMs, env, log, syncJobs, announce, note, stopping } = options;
  const [command, ...args] = options.command;
  const origin = `http://127.0.0.1:${port}`;
  // Next's startup output goes to the log. The terminal only gets it if the start fails.
  let answering = false;

  const start = async (): Promise<App> => {
    answering = false;
    const app = await startApp({
      command,
      args,
      cwd: projectRoot,
      env,
      pidFile,
      onLine: (line) => {
        log.write(`${line}\n`);
        const shown = answering ? terminalLine(line) : null;
        if (shown !== null) console.log(`  app: ${shown}`);
      },
    });
    void sync(app);
    return app;
  };
  /** Syncs the jobs once the app responds with any status, because the runner asks it for its functions. */
  const sync = async (app: App): Promise<void> => {
    const answers = () => fetch(`${origin}/api/health`).then(Boolean, () => false);
    await waitUntil(async () => !app.alive() || stopping.signal.aborted || (await answers()), timeoutMs, 100);
    if (!app.alive() || stopping.signal.aborted) return;
    answering = true;
    await syncJobs().catch((error: unknown) => note(`jobs: couldn't read the app's functions: ${error}`));
  };

  if (reach === 'loopback') stopping.onStop(await forwardFromIpv6(port));
  const app = await start();
  // Until it's ready, an exit is a failed start and not a reason to restart it.
  const cancel = stopping.onStop(() => app.stop());
  const alive = () => app.alive() && !stopping.signal.aborted;
  const failure = await waitHealthy(`${origin}/api/health`, { alive }, timeoutMs);
  if (failure !== null && !stopping.signal.aborted) {
    const reason = app.alive() ? `/api/health responds with ${failure || 'nothing'}` : 'it exited';
    throw userError(`The site didn't start: ${reason}.\n${app.lastLines().slice(-15).join('\n')}`);
  }
  cancel();
  const kept = supervise('site', app, start, announce);
  stopping.onStop(() => kept.stop());
}
