import { setTimeout as delay } from 'node:timers/promises';

/** Something that runs until it's stopped, and reports if it exits by itself. */
export type SupervisedProcess = { stop(): Promise<void>; onExit(callback: () => void): void };

const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;
/** A process that ran this long counts as healthy, so its next restart is immediate again. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Keeps a process running. If it exits, it's restarted immediately; if it exits again soon or can't be restarted,
 * after a pause that doubles up to 5 s.
 * @param current - the running process; `restart` starts its successor
 * @returns `stop`, which stops it permanently, even in the middle of a restart
 */
export function supervise<T extends SupervisedProcess>(
  name: string,
  current: T,
  restart: () => Promise<T>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  const halt = new AbortController();
  let running: T | null = current;
  let pause = 0;
  let startedAt = Date.now();
  let restarting: Promise<void> = Promise.resolve();

  async function revive(): Promise<void> {
    running = null;
    if (Date.now() - startedAt >= HEALTHY_AFTER_MS) pause = 0;
    while (!halt.signal.aborted) {
      await delay(pause, undefined, { signal: halt.signal }).catch(() => undefined);
      if (halt.signal.aborted) return;
      pause = Math.min(MAX_BACKOFF_MS, Math.max(INITIAL_BACKOFF_MS, pause * 2));
      startedAt = Date.now();
      try {
        watch(await restart());
        log(`The ${name} was started again.`);
        return;
      } catch (error) {
        log(`The ${name} couldn't be restarted: ${error instanceof Error ? error.message : error}`);
      }
    }
  }

  function watch(next: T): void {
    running = next;
    next.onExit(() => {
      if (halt.signal.aborted) return;
      log(`The ${name} exited and is being restarted.`);
      restarting = revive();
    });
  }

  watch(current);
  return {
    async stop() {
      halt.abort();
      await running?.stop();
      await restarting;
      // A restart that was in progress may have started a new one.
      await running?.stop();
    },
  };
}
