import { expect, it } from 'vitest';
import { createLiveUploads } from './live-upload';

const events = { onOpened: () => {}, onProgress: () => {}, onProblem: () => {} };
const waiting = () => new AbortController();

it('leaves only the latest recording to the queue, under the id of its local copy', () => {
  const live = createLiveUploads();
  expect(live.handOver(null)).toBeNull();
  live.begin('first', 'video/mp4');
  live.begin('second', 'video/mp4');
  expect(live.handOver('first')).toBeNull();
  const upload = live.handOver('second');
  expect(upload?.id).toBe('second');
  // Retried.
  expect(live.handOver('second')).toBe(upload);
});

it('gives a recording without a local copy one id for all attempts', () => {
  const live = createLiveUploads();
  live.begin(null, 'video/webm');
  const id = live.handOver(null)?.id;
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(live.handOver(null)?.id).toBe(id);
});

it('sends nothing of a recording that fits one part, and says so until it ends', async () => {
  const live = createLiveUploads();
  let changes = 0;
  live.subscribe(() => {
    changes += 1;
  });
  expect(live.state()).toBe('none');
  live.begin('short', 'video/mp4');
  expect([live.state(), changes]).toEqual(['short', 1]);
  live.write(new Blob(['a few bytes']));
  const sent = live.handOver('short')?.waitUntilSent(events, waiting().signal);
  live.end();
  expect(await sent).toEqual([]);
  expect(live.state()).toBe('short');
});

it('stops waiting once the queue cancels the upload', async () => {
  const live = createLiveUploads();
  live.begin('canceled', 'video/mp4');
  const controller = waiting();
  const sent = live.handOver('canceled')?.waitUntilSent(events, controller.signal);
  controller.abort(new Error('canceled'));
  live.end();
  await expect(sent).rejects.toThrow('canceled');
});
