import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinSamples, readSentences } from '@/test/media/samples';
import { wordErrors } from '@/test/word-errors';
import type { RecognizedPassage } from './types';
import { createPool, type HearPassagesOptions } from './worker-pool';

/** Sentences further apart than this aren't one passage. Silence takes almost no time. */
const PAUSE = 28;
const WORKERS = 2;

const recognizePassages = createPool(WORKERS);
const posted = vi.spyOn(Worker.prototype, 'postMessage');
const workers = () => new Set(posted.mock.instances as unknown as Worker[]);

let texts: string[];
/** A sentence of 3 s. */
let short: Float32Array;
/** Four sentences, and each is a passage. The second takes longer than the others. */
let long: Float32Array;
/** The passages in `long`, and what was heard in each. */
let all: RecognizedPassage[];

beforeAll(async () => {
  const sentences = await readSentences();
  const read = [1, 0, 4, 1].flatMap((index) => sentences[index] ?? []);
  short = read[0]?.samples ?? new Float32Array();
  texts = read.map(({ text }) => text);
  long = joinSamples(
    read.map(({ samples }) => samples),
    PAUSE,
  );
  all = await collect(long);
});

afterEach(() => vi.useRealTimers());
afterAll(() => vi.restoreAllMocks());

async function collect(
  from: Float32Array,
  options: Partial<HearPassagesOptions> = {},
): Promise<RecognizedPassage[]> {
  const heard: RecognizedPassage[] = [];
  const onRecognized = async (passage: RecognizedPassage) => void heard.push(passage);
  await recognizePassages(from, { onRecognized, ...options });
  return heard.sort((one, other) => one.start - other.start);
}

const stop = new Error('No longer needed');

describe('recognizePassages', () => {
  it('recognizes passages in other threads', () => {
    expect(all).toHaveLength(texts.length);
    for (const [index, { start, words }] of all.entries()) {
      expect(wordErrors(texts[index] ?? '', words.map(({ word }) => word).join(' '))).toBeLessThanOrEqual(1);
      expect(words[0]?.start).toBeGreaterThanOrEqual(start - 0.1);
    }
  });

  it('recognizes as many at once as it has workers', async () => {
    const arrivals: (() => void)[] = [];
    const onRecognized = () =>
      new Promise<void>((resolve) => {
        arrivals.push(resolve);
        // One worker alone would never get here.
        if (arrivals.length % WORKERS === 0) for (const leave of arrivals) leave();
      });
    await recognizePassages(long, { onRecognized });
    expect(arrivals).toHaveLength(all.length);
    expect(workers().size).toBe(WORKERS);
  });

  it.runIf(process.platform === 'linux')('lets other threads go first', async () => {
    const tasks = await readdir('/proc/self/task');
    const stats = await Promise.all(
      tasks.map((task) => readFile(`/proc/self/task/${task}/stat`, 'utf8').catch(() => '')),
    );
    // The 17th field after the name in parentheses.
    const niceness = stats
      .filter(Boolean)
      .map((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]));
    const own = Number((await readFile('/proc/self/stat', 'utf8')).split(' ')[18]);
    expect(niceness.filter((nice) => nice > own)).toHaveLength(WORKERS);
  });

  it('leaves out passages that are known', async () => {
    const skip = (passage: { start: number }) => passage.start === all[1]?.start;
    expect(await collect(long, { skip })).toEqual([all[0], all[2], all[3]]);
  });

  it('serves several calls at once', async () => {
    const calls = await Promise.all([collect(short), collect(short), collect(short)]);
    expect(calls[0]).toHaveLength(1);
    expect(calls).toEqual([calls[0], calls[0], calls[0]]);
  });

  it('hears nothing in no samples', async () => {
    expect(await collect(new Float32Array())).toEqual([]);
  });

  it('stops between passages when its signal aborts', async () => {
    const controller = new AbortController();
    const heard: RecognizedPassage[] = [];
    const recognition = recognizePassages(long, {
      signal: controller.signal,
      onRecognized: async (passage) => {
        heard.push(passage);
        controller.abort(stop);
      },
    });
    await expect(recognition).rejects.toBe(stop);
    expect(heard).toHaveLength(1);
    await expect(collect(short, { signal: controller.signal })).rejects.toBe(stop);
    expect(await collect(short)).toHaveLength(1);
  });

  it('stops when words can’t be saved, and waits for those that are being saved', async () => {
    let [calls, saved] = [0, false];
    let fail = () => {};
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const onRecognized = async () => {
      calls += 1;
      if (calls === 2) {
        fail();
        throw stop;
      }
      await failing;
      await setImmediate();
      saved = true;
    };
    await expect(recognizePassages(long, { onRecognized })).rejects.toBe(stop);
    expect([calls, saved]).toEqual([2, true]);
  });

  it('fails when a worker dies, and recognizes what’s missing when it’s asked again', async () => {
    const heard: RecognizedPassage[] = [];
    const onRecognized = async (passage: RecognizedPassage) => {
      heard.push(passage);
      const other = posted.mock.calls.findLastIndex(([{ passage: given }]) => given.start !== passage.start);
      await (posted.mock.instances[other] as unknown as Worker).terminate();
    };
    await expect(recognizePassages(long, { onRecognized })).rejects.toThrow('The speech worker stopped');
    expect(heard).toHaveLength(1);
    const known = heard[0]?.start;
    const rest = await collect(long, { skip: ({ start }) => start === known });
    expect([...heard, ...rest].sort((one, other) => one.start - other.start)).toEqual(all);
    expect(workers().size).toBe(WORKERS + 1);
  });

  it('replaces a worker that goes on long after an abort', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const controller = new AbortController();
    const recognition = recognizePassages(short, { signal: controller.signal, onRecognized: async () => {} });
    const busy = posted.mock.instances.at(-1) as unknown as Worker;
    const ended = once(busy, 'exit');
    controller.abort(stop);
    await expect(recognition).rejects.toBe(stop);
    // Before its answer can arrive.
    vi.advanceTimersByTime(10 * 60_000);
    await ended;
    expect(await collect(short)).toHaveLength(1);
    expect(posted.mock.instances.at(-1)).not.toBe(busy);
  });

  it('gives its workers’ memory back when there’s no more work', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await collect(long);
    const running = [...workers()].filter(({ threadId }) => threadId >= 0);
    expect(running).toHaveLength(WORKERS);
    const ended = running.map((worker) => once(worker, 'exit'));
    vi.advanceTimersByTime(60 * 60_000);
    await Promise.all(ended);
    vi.useRealTimers();
    expect(await collect(short)).toHaveLength(1);
  });
});
