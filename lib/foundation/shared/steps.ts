import { perProcess } from './per-process';
/** Work that stops about every millisecond, so that something else may happen before it goes on. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** How long steps run before the event loop gets a turn, in milliseconds. */
const SLICE_MS = 2;

/** Runs all steps and returns their result: in a browser, or for a short text. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** How long work in the background rests after each slice, so that it takes a fifth of the event loop's time. */
const REST_MS = 8;

const turns = perProcess('turns', () => ({ last: Promise.resolve() }));

/** Waits for a turn of the event loop that nothing else in slices has. */
function nextTurn(): Promise<void> {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  turns.last = turns.last.then(turn);
  return turns.last;
}

/** Runs steps in slices of about {@link SLICE_MS}, and waits before each but the first one. */
async function inSlices<Result>(steps: Steps<Result>, wait: () => Promise<void>): Promise<Result> {
  for (;;) {
    const began = performance.now();
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - began < SLICE_MS);
    await wait();
  }
}

/**
 * Runs steps in slices of about {@link SLICE_MS}, between which the process does everything else: answers requests, for
 * example. Several at once take turns, so that together they block the event loop no longer than one does. Node only.
 */
export const runInSlices = <Result>(steps: Steps<Result>): Promise<Result> => inSlices(steps, nextTurn);

/** Runs steps like {@link runInSlices}, but leaves most of the time to everything else: for what nobody waits for. */
export const runInBackground = <Result>(steps: Steps<Result>): Promise<Result> =>
  inSlices(steps, async () => {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    await nextTurn();
  });
