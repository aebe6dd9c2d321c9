import { expect, it } from 'vitest';
import { createFairQueue, type Slot } from './fair-queue';

/** Work that ends when the test says so, and a record of the order in which it started. */
function held() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    work: (name: string) => () =>
      new Promise<void>((resolve) => {
        started.push(name);
        ends.push(resolve);
      }),
    /** Ends the oldest piece of work that runs, and waits until whatever follows it has started. */
    async finishOne() {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function reserveAll(
  queue: ReturnType<typeof createFairQueue>,
  client: string,
  count: number,
  network?: string,
): Slot[] {
  return Array.from({ length: count }, () => queue.reserve(client, network)).filter(
    (slot) => slot !== undefined,
  );
}

it('runs no more at once than allowed, and everything in the end', async () => {
  const queue = createFairQueue({ concurrency: 2, perClient: 5, total: 100 });
  const { started, work, finishOne } = held();
  const done = reserveAll(queue, 'a', 5).map((slot, index) => slot.run(work(`a${index}`)));
  await Promise.resolve();
  expect(started).toEqual(['a0', 'a1']);
  for (let count = 0; count < 5; count += 1) await finishOne();
  await Promise.all(done);
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
});

it('serves clients in turn, however much one of them has queued', async () => {
  const queue = createFairQueue({ concurrency: 1, perClient: 10, total: 100 });
  const { started, work, finishOne } = held();
  for (const [index, slot] of reserveAll(queue, 'flood', 10).entries()) void slot.run(work(`flood${index}`));
  void queue.reserve('b')?.run(work('b'));
  void queue.reserve('c')?.run(work('c'));
  await Promise.resolve();
  for (let count = 0; count < 4; count += 1) await finishOne();
  expect(started).toEqual(['flood0', 'flood1', 'b', 'c', 'flood2']);
});

it('refuses what one client asks for beyond its slots, until one is released', () => {
  const queue = createFairQueue({ concurrency: 1, perClient: 10, total: 100 });
  const slots = reserveAll(queue, 'flood', 200);
  expect(slots).toHaveLength(10);
  expect(queue.reserve('other')).toBeDefined();
  slots[0]?.release();
  slots[0]?.release();
  expect(reserveAll(queue, 'flood', 200)).toHaveLength(1);
});

it('keeps slots for newcomers while several clients flood it, and never exceeds its total', () => {
  const queue = createFairQueue({ concurrency: 1, perClient: 10, total: 64 });
  const floods = Array.from({ length: 10 }, (_, index) => reserveAll(queue, `flood${index}`, 200)).flat();
  expect(floods.length).toBeLessThan(64);
  expect(queue.reserve('newcomer')).toBeDefined();
  const crowd = Array.from({ length: 500 }, (_, index) => queue.reserve(`person${index}`));
  expect(crowd.filter((slot) => slot !== undefined)).toHaveLength(64 - floods.length - 1);
  for (const slot of floods) slot.release();
  expect(queue.reserve('later')).toBeDefined();
});

it('gives no more than half of its slots to the clients of one network', () => {
  const queue = createFairQueue({ concurrency: 1, perClient: 10, total: 50 });
  const slots = Array.from({ length: 500 }, (_, index) => queue.reserve(`host${index}`, 'network'));
  expect(slots.filter((slot) => slot !== undefined)).toHaveLength(25);
  expect(queue.reserve('elsewhere', 'another network')).toBeDefined();
});

it('goes on after work that fails', async () => {
  const queue = createFairQueue({ concurrency: 1, perClient: 2, total: 10 });
  const failing = queue.reserve('a')?.run(() => Promise.reject(new Error('no')));
  const next = queue.reserve('b')?.run(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
