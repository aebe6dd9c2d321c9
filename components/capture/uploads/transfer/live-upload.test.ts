import { expect, it } from 'vitest';
import { createLiveUploads, createPartBuffer } from './live-upload';

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
  live.begin('short', 'video/mp4');
  expect(live.state.get()).toBe('short');
  live.write(new Blob(['a few bytes']));
  const sent = live.handOver('short')?.waitUntilSent(events, waiting().signal);
  live.end();
  expect(await sent).toEqual([]);
  expect(live.state.get()).toBe('short');
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

const slice = (text: string) => new Blob([text]);
const textOf = async (part: Promise<Blob | null>) => (await part)?.text() ?? null;

it('splits slices of any length into equal parts and returns the last one at the end', async () => {
  const source = createPartBuffer(4);
  const first = textOf(source.getPart(1));
  source.write(slice('ab'));
  source.write(slice('cdefghi'));
  expect([await first, await textOf(source.getPart(2))]).toEqual(['abcd', 'efgh']);
  const last = textOf(source.getPart(3));
  source.write(slice('jk'));
  source.end();
  expect([await last, await textOf(source.getPart(4)), source.size()]).toEqual(['ijk', null, 11]);
  expect(await textOf(source.getPart(1))).toBe('abcd');
});

it('has no extra part if the slices fill the parts', async () => {
  const source = createPartBuffer(2);
  source.write(slice('abcd'));
  source.end();
  expect([await textOf(source.getPart(2)), await textOf(source.getPart(3))]).toEqual(['cd', null]);
});
