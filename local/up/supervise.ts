import { setTimeout as delay } from 'node:timers/promises';

/** Something that runs until it is stopped, and tells when it ends by itself. */
export type SupervisedProcess = { stop(): Promise<void>; onExit(callback: () => void): void };

const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;
/** What lived this long is taken for healthy: its next end is restarted at once again. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Keeps one thing running: when it ends by itself it is started again at once, and when that does not last or does
 * not succeed, after a pause that doubles up to 5 s.
 * @param current - the running thing; `restart` makes its successor
 * @returns `stop`, which ends it permanently, also in the middle of a restart
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
        log(`The ${name} could not be restarted: ${error instanceof Error ? error.message : error}`);
      }
    }
  }

  function watch(next: T): void {
    running = next;
    next.onExit(() => {
      if (halt.signal.aborted) return;
      log(`The ${name} has ended and is restarted.`);
      restarting = revive();
    });
  }

  watch(current);
  return {
    async stop() {
      halt.abort();
      await running?.stop();
      await restarting;
      // A restart that was under way has made a new one meanwhile.
      await running?.stop();
    },
  };
}
