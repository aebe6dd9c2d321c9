import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinSamples, readSentences } from '@/test/media/samples';
import { wordErrors } from '@/test/word-errors';
import type { HeardPassage } from './types';
import { type HearPassagesOptions, hearPassages } from './worker-pool';

let text: string;
let samples: Float32Array;
/** The same reading three times, which is three passages. */
let long: Float32Array;

beforeAll(async () => {
  const sentences = await readSentences();
  text = sentences.map((sentence) => sentence.text).join(' ');
  samples = joinSamples(
    sentences.map((sentence) => sentence.samples),
    0.6,
  );
  long = joinSamples([samples, samples, samples], 1);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function collect(
  from: Float32Array,
  options: Partial<HearPassagesOptions> = {},
): Promise<HeardPassage[]> {
  const heard: HeardPassage[] = [];
  const onHeard = async (passage: HeardPassage) => void heard.push(passage);
  await hearPassages(from, { onHeard, ...options });
  return heard.sort((one, other) => one.start - other.start);
}

describe('hearPassages', () => {
  it('recognizes passages in another thread', async () => {
    const heard = await collect(samples);
    const words = heard.flatMap((passage) => passage.words);
    expect(wordErrors(text, words.map(({ word }) => word).join(' '))).toBeLessThanOrEqual(3);
    expect(words[0]?.start).toBeGreaterThan(0);
  });

  it.runIf(process.platform === 'linux')('lets other threads go first', async () => {
    await collect(samples);
    const tasks = await readdir('/proc/self/task');
    const stats = await Promise.all(
      tasks.map((task) => readFile(`/proc/self/task/${task}/stat`, 'utf8').catch(() => '')),
    );
    // The 17th field after the name in parentheses.
    const niceness = stats
      .filter(Boolean)
      .map((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]));
    const own = Number((await readFile('/proc/self/stat', 'utf8')).split(' ')[18]);
    expect(Math.max(...niceness)).toBeGreaterThan(own);
  });

  it('leaves out passages that are known', async () => {
    const all = await collect(long);
    expect(all).toHaveLength(3);
    const skip = (passage: { start: number }) => passage.start === all[1]?.start;
    expect(await collect(long, { skip })).toEqual([all[0], all[2]]);
  });

  it('serves several calls at once', async () => {
    const [one, other] = await Promise.all([collect(samples), collect(samples)]);
    expect(other).toEqual(one);
    expect(one).not.toEqual([]);
  });

  it('hears nothing in no samples', async () => {
    expect(await collect(new Float32Array())).toEqual([]);
  });

  it('stops between passages when its signal aborts', async () => {
    const controller = new AbortController();
    const heard: HeardPassage[] = [];
    const hearing = hearPassages(long, {
      signal: controller.signal,
      onHeard: async (passage) => {
        heard.push(passage);
        controller.abort(new Error('No longer needed'));
      },
    });
    await expect(hearing).rejects.toThrow('No longer needed');
    expect(heard).toHaveLength(1);
    await expect(collect(samples, { signal: controller.signal })).rejects.toThrow('No longer needed');
    expect(await collect(samples)).not.toEqual([]);
  });

  it('stops when words can’t be saved', async () => {
    const onHeard = () => Promise.reject(new Error('The database is gone'));
    await expect(hearPassages(long, { onHeard })).rejects.toThrow('The database is gone');
  });

  it('gives a worker’s memory back when there’s no more work', async () => {
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await collect(samples);
    const workers = new Set(posted.mock.instances as unknown as Worker[]);
    const ended = [...workers].map((worker) => once(worker, 'exit'));
    vi.advanceTimersByTime(60 * 60_000);
    await Promise.all(ended);
    vi.useRealTimers();
    posted.mockClear();
    expect(await collect(samples)).not.toEqual([]);
    expect(workers.has(posted.mock.instances[0] as unknown as Worker)).toBe(false);
  });

  it('rejects what a worker was doing when it died, and starts another', async () => {
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    const hearing = collect(samples);
    const [worker] = posted.mock.instances as unknown as Worker[];
    await worker?.terminate();
    await expect(hearing).rejects.toThrow('The speech worker stopped');
    expect(await collect(samples)).not.toEqual([]);
  });
});
