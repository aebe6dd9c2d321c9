import { Agent } from 'node:http';
import { summarizeSearch } from '@/lib/journal/search/service';
import type { BenchContext } from './bench';
import { interleave, type Measurement, measurement, quantile } from './measurements';
import { fetchText } from './requests';
import { sessionCookie } from './seed';

const ROUNDS = 5;
const REPEATS = 40;

/** Server time of a search, in milliseconds. */
export const SEARCH_LIMIT = 50;
/** Counting comes after the results. */
const COUNT_LIMIT = 150;
/** An answer of 30 results, in kB before compression. */
const ANSWER_LIMIT = 40;

/** The milliseconds that each repetition takes. */
export async function timeRepeats(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

/** What the search page asks for as its form changes. */
export const searchPath = (query: string, categories = '') =>
  `/api/v1/search?${new URLSearchParams({ query, categories, count: 'false' })}`;

/** Each text that stands in the box while somebody types this. */
const KEYSTROKES = Array.from('garden wall', (_, index) => 'garden wall'.slice(0, index + 1));

/** Time and size of the answers to somebody who types, each as p95 of the keystrokes, and the time that counting takes. */
export async function measureTyping(
  bench: BenchContext,
  owner: string,
  entries: number,
): Promise<Measurement[]> {
  const [app, bare] = [await bench.app(), await bench.bareApp()];
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const cookie = await sessionCookie(owner, true);
  const sizes: number[] = [];
  const type = async () => {
    const times: number[] = [];
    for (const query of KEYSTROKES) {
      const began = performance.now();
      const answer = await fetchText({ url: `${app.url}${searchPath(query)}`, cookie }, connection);
      times.push(performance.now() - began);
      sizes.push(Buffer.byteLength(answer));
    }
    return quantile(times, 0.95);
  };
  const measurements = {
    typing: type,
    counting: async () =>
      quantile(await timeRepeats(() => summarizeSearch(owner, { query: 'garden', categories: [] })), 0.95),
    empty: async () =>
      quantile(await timeRepeats(() => fetchText({ url: `${bare.url}/api` }, connection)), 0.95),
  };
  await interleave(1, measurements);
  const { typing, counting, empty } = await interleave(ROUNDS, measurements);
  connection.destroy();
  return [
    measurement(`search as you type, ${entries} entries, over an empty route`, {
      unit: 'ms p95',
      ours: Math.max(0, typing - empty),
      limit: SEARCH_LIMIT,
      bar: 1,
    }),
    measurement('search as you type, an answer', {
      unit: 'kB p95',
      ours: quantile(sizes, 0.95) / 1000,
      limit: ANSWER_LIMIT,
      bar: 1,
    }),
    measurement(`counting ${entries} matches by year`, {
      unit: 'ms p95',
      ours: counting,
      limit: COUNT_LIMIT,
      bar: 1,
    }),
  ];
}
