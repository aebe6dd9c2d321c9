import { expect, it } from 'vitest';
import { runAtOnce, runInBackground, runInSlices, type Steps } from './steps';

/** Does steps of which each takes longer than a slice. */
function* work(name: string, count: number, log: string[]): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12);
    log.push(name);
    yield;
  }
  return name;
}

/** Notes each turn of the event loop until it's stopped. */
function noteTurns(log: string[]): () => void {
  let isOver = false;
  const turn = () => {
    log.push('turn');
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOver = true;
  };
}

it('gives the event loop a turn between slices, also when several run at once', async () => {
  const log: string[] = [];
  const stop = noteTurns(log);
  const names = ['a', 'b', 'c'];
  expect(await Promise.all(names.map((name) => runInSlices(work(name, 4, log))))).toEqual(names);
  stop();
  // Each begins at once.
  const later = log.slice(names.length);
  expect(later.filter((entry) => entry !== 'turn')).toHaveLength(9);
  for (const [index, entry] of later.entries()) {
    if (entry !== 'turn') expect(later[index - 1]).toBe('turn');
  }
});

it('lets others do most of the work while nobody waits for it', async () => {
  const log: string[] = [];
  const job = runInBackground(work('job', 20, log));
  await runInSlices(work('request', 20, log));
  expect(log.filter((entry) => entry === 'job').length).toBeLessThanOrEqual(11);
  expect(await job).toBe('job');
});

it('passes on what a step throws', async () => {
  function* failing(): Steps<never> {
    yield;
    throw new Error('too long');
  }
  await expect(runInSlices(failing())).rejects.toThrow('too long');
  expect(() => runAtOnce(failing())).toThrow('too long');
});
