/** Stops everything in reverse order, after a signal, a failure, or the end of the parent process. */
export type Shutdown = {
  /** Aborted as soon as a stop is requested. Its reason is an error whose message says why. */
  signal: AbortSignal;
  /** Resolves when a stop is requested. */
  requested: Promise<void>;
  /** Registers a cleanup handler. The last one registered runs first. Returns a function that removes it. */
  onStop(work: () => unknown): () => void;
  /** Sets where errors are reported. */
  onFailure(report: (error: unknown) => void): void;
  fail(error: unknown): void;
  runHandlers(): Promise<void>;
};

/** The id of the process that started this one, which ends with it. */
const parentPid = Number(process.env.DAYLIGHT_BOOTSTRAP_PID);

/** Turns SIGINT, SIGTERM, SIGHUP and the end of the parent process into one graceful stop. */
export function handleShutdownSignals(): Shutdown {
  const controller = new AbortController();
  const works: (() => unknown)[] = [];
  let report: (error: unknown) => void = () => undefined;
  const stop = (why: string) => controller.abort(new Error(why));
  // Ctrl-C arrives twice (from the terminal and from npm), so a second signal doesn't mean "stop immediately".
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop(name));
  if (parentPid && parentPid === process.ppid) {
    setInterval(() => process.ppid !== parentPid && stop('the parent process ended'), 500).unref();
  }
  delete process.env.DAYLIGHT_BOOTSTRAP_PID;
  // A closed terminal must not crash the process before it has stopped everything.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // An unhandled rejection in one service must not stop the others or the site.
  process.on('unhandledRejection', (error) => report(error));
  process.on('uncaughtException', (error) => {
    report(error);
    console.error(`A service failed: ${error.message}`);
    process.exitCode = 1;
    stop('a service failed');
  });
  return {
    signal: controller.signal,
    requested: new Promise((resolve) => controller.signal.addEventListener('abort', () => resolve())),
    onStop: (work) => {
      works.push(work);
      return () => {
        const at = works.indexOf(work);
        if (at >= 0) works.splice(at, 1);
      };
    },
    onFailure: (to) => {
      report = to;
    },
    fail: (error) => report(error),
    runHandlers: async () => {
      for (const work of works.splice(0).reverse()) {
        try {
          await work();
        } catch (error) {
          process.exitCode = 1;
          report(error);
        }
      }
    },
  };
}
