/** How a start ends: by a signal, by the end of what started it, or by a failure; always in reverse order. */
export type Shutdown = {
  /** Aborted as soon as an end is asked for; its reason is an error whose message says by what. */
  signal: AbortSignal;
  /** Resolves then. */
  requested: Promise<void>;
  /** What must be done at the end; the last one registered is done first. Returns a way to take it back. */
  onStop(work: () => unknown): () => void;
  /** Where the stacks of failures go. */
  onFailure(report: (error: unknown) => void): void;
  fail(error: unknown): void;
  runHandlers(): Promise<void>;
};

/** The process that started this one has put its number here, so that this one ends with it. */
const parentPid = Number(process.env.DAYLIGHT_BOOTSTRAP_PID);

/** Turns SIGINT, SIGTERM, SIGHUP and the end of the starting process into one orderly stop. */
export function handleShutdownSignals(): Shutdown {
  const controller = new AbortController();
  const works: (() => unknown)[] = [];
  let report: (error: unknown) => void = () => undefined;
  const stop = (why: string) => controller.abort(new Error(why));
  // Ctrl-C arrives twice (from the terminal, and passed on by npm), so a second signal is not "at once".
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop(name));
  if (parentPid && parentPid === process.ppid) {
    setInterval(() => process.ppid !== parentPid && stop('what started it has ended'), 500).unref();
  }
  delete process.env.DAYLIGHT_BOOTSTRAP_PID;
  // A terminal that is gone must not end the rest in disorder.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // A promise that nobody awaited, in one of the parts: the others, and the site, go on.
  process.on('unhandledRejection', (error) => report(error));
  process.on('uncaughtException', (error) => {
    report(error);
    console.error(`A part failed: ${error.message}`);
    process.exitCode = 1;
    stop('a part failed');
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
