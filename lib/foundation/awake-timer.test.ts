import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { startAwakeTimer } from './awake-timer';

/** Tells the main thread that it has sent its message, which that thread can't read while it's blocked. */
const SENDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('an answer');
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);`;

it('expires', async () => {
  const expired = new Promise<string>((resolve) => startAwakeTimer(() => resolve('expired'), 10));
  expect(await expired).toBe('expired');
});

it('reads what arrived while the process stood still before it expires', async () => {
  const events: string[] = [];
  const expired = new Promise<void>((resolve) => {
    startAwakeTimer(() => {
      events.push('expired');
      resolve();
    }, 10);
  });
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SENDER, { eval: true, workerData: sent });
  const message = once(worker, 'message').then(() => events.push('read'));
  // The first timer is due for a second and a half when this thread gets to it.
  Atomics.wait(sent, 0, 0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  await Promise.all([message, expired]);
  expect(events).toEqual(['read', 'expired']);
});

it('never expires once it has been stopped', async () => {
  const expired: string[] = [];
  const stop = startAwakeTimer(() => expired.push('stopped'), 10);
  stop();
  await new Promise<void>((resolve) => startAwakeTimer(resolve, 20));
  expect(expired).toEqual([]);
});
