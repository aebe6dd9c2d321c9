import { log } from './log';
import { withSafeMessage } from './shared/safe-message';

interface Options<T> {
  /** What to call an item in the log: an id, as everything else may be personal. */
  name?: (item: T) => string;
  /** Asked after each failure: whether to leave the rest to a later run, as when their service is down. */
  shouldContinue?: (error: unknown) => boolean | Promise<boolean>;
}

/**
 * Does something with each item, one after the other, whatever becomes of the others. Each failure is logged.
 * @param what for the log, for instance 'trash: purge'
 * @throws Error after the last item, when any has failed
 */
export async function attemptAll<T>(
  what: string,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  { name, shouldContinue = () => true }: Options<T> = {},
): Promise<void> {
  let failed = 0;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failed += 1;
      log.warn({ err: error, ...(name && { item: name(item) }) }, `${what}: failed`);
      if (!(await shouldContinue(error))) break;
    }
  }
  // The causes are in the log.
  if (failed > 0) throw withSafeMessage(new Error(`${what}: ${failed} failed`));
}

/** Runs named tasks as {@link attemptAll} does. */
export function runAll(what: string, tasks: Record<string, () => Promise<unknown>>): Promise<void> {
  return attemptAll(what, Object.entries(tasks), ([, task]) => task(), { name: ([name]) => name });
}
