import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Steps } from '@/lib/foundation/shared/steps';
import { pickHighlight } from '@/lib/journal/highlights/pick';
import { correctedWords, wordsIn } from '@/lib/journal/transcripts/corrected-words';
import { subRip, webVtt } from '@/lib/journal/transcripts/shared/captions';
import { presentWords } from '@/lib/journal/transcripts/shared/word-list';
import { withConfidence } from '@/lib/journal/transcripts/unchanged-words';
import { HOSTILE_TEXTS, MAX_WORDS } from '@/test/hostile-texts';
import { describeDelay, longestDelay } from '@/test/longest-delay';
import type { Benchmark } from './bench';
import { type Measurement, measurement, median } from './measurements';
import { refererOf } from './requests';
import { type Account, seedEntry } from './seed';

/** What a save of the longest text may take, a step of an algorithm, and what anything may delay others, in milliseconds. */
const SAVE_MS = 1000;
const STEP_MS = 50;
const DELAY_MS = 200;

/** How many times a step is measured. */
const RUNS = 3;

/** How often somebody else asks, in milliseconds, and how many times before anything hostile is sent. */
const ASK_MS = 20;
const IDLE_ANSWERS = 100;

/** A phrase whose words can be read in two ways each. */
const DOUBLE_WORDS = Array.from({ length: 300 }, () => 'x-x');
const PHRASE = `"${DOUBLE_WORDS.slice(0, 24).join(' ')}"`;

/** Words that all start at once, since times would make the body larger than what's accepted. */
const stored = (words: readonly string[]) =>
  words.map((word): [string, number, number, number] => [word, 0, 0, 0.9]);

interface Sent {
  method: string;
  path: string;
  body?: object;
}

/** Sends a request and reads its answer. @returns the milliseconds that took, and the status */
function send(site: string, cookie: string, { method, path, body }: Sent, agent?: Agent) {
  const text = body && JSON.stringify(body);
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  const headers = { referer: refererOf(site), cookie, 'content-type': 'application/json', ...length };
  const began = performance.now();
  return new Promise<{ ms: number; status: number }>((resolve, reject) => {
    const sent = request(`${site}${path}`, { method, headers, agent }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () =>
        resolve({ ms: performance.now() - began, status: response.statusCode ?? 0 }),
      );
    });
    sent.once('error', reject);
    sent.end(text);
  });
}

/** Asks for `/api/health` again and again until it's stopped. @returns how long each answer took, in milliseconds */
function askForHealth(site: string): () => Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      times.push((await send(site, '', { method: 'GET', path: '/api/health' }, agent)).ms);
      await delay(ASK_MS);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    agent.destroy();
    return times;
  };
}

/** Returns the requests that a text makes possible, the first of which saves it. */
async function requestsWith(userId: string, heard: string[], written: string[]): Promise<Sent[]> {
  const words = stored(heard);
  const entryId = await seedEntry(userId, { title: 'Long', date: '2025-01-01', seconds: 60, words });
  const path = `/api/v1/entry/${entryId}`;
  const corrected = written.map((word) => ({ word, startTime: 0, endTime: 0 }));
  const save = (list: object[]) => ({
    method: 'POST',
    path: `${path}/transcription`,
    body: { transcription: { words: list } },
  });
  return [
    save(corrected),
    { method: 'POST', path: `${path}/transcription/revisions/0/restore` },
    save(corrected.map(() => ({}))),
    ...['captions.vtt', 'captions.srt', 'transcript.txt'].map((name) => ({
      method: 'GET',
      path: `${path}/${name}`,
    })),
    { method: 'GET', path: '/api/v1/timeline' },
  ];
}

/** Returns how long each step takes of what a text is put through, in milliseconds. */
function timeSteps(heard: string[], written: string[]): number[] {
  const [before, after] = [stored(heard), stored(written)];
  const words = presentWords(after);
  const all: Steps<unknown>[] = [
    correctedWords(heard, written),
    wordsIn(written, heard.slice(0, 200)),
    withConfidence(after, before),
    webVtt(words),
    subRip(words),
    pickHighlight(after),
  ];
  const times: number[] = [];
  for (const steps of all) {
    for (let isDone = false; !isDone; ) {
      const began = performance.now();
      isDone = Boolean(steps.next().done);
      times.push(performance.now() - began);
    }
  }
  return times;
}

/** Returns the longest step. The fastest of several runs of each counts: what's collected as garbage meanwhile is older. */
function longestStep(heard: string[], written: string[]): number {
  const runs = Array.from({ length: RUNS }, () => timeSteps(heard, written));
  return runs
    .reduce((one, other) => one.map((ms, step) => Math.min(ms, other[step] ?? 0)))
    .reduce((a, b) => Math.max(a, b));
}

/** Sends all that's hostile while somebody else asks for `/api/health`. */
async function measureRequests(site: string, { userId, cookie }: Account): Promise<Measurement[]> {
  const stopIdle = askForHealth(site);
  await delay(ASK_MS * IDLE_ANSWERS);
  const idle = median(await stopIdle());
  const phrase = { title: 'Double', date: '2025-01-02', seconds: 60, words: stored(DOUBLE_WORDS) };
  await seedEntry(userId, phrase);
  const saves: number[] = [];
  const stop = askForHealth(site);
  const session = await cookie();
  for (const texts of Object.values(HOSTILE_TEXTS)) {
    const [save, ...others] = await requestsWith(userId, ...texts(MAX_WORDS));
    if (!save) continue;
    const { ms, status } = await send(site, session, save);
    if (status !== 200) throw new Error(`A text was answered ${status}.`);
    saves.push(ms);
    for (const other of others) await send(site, session, other);
  }
  const path = `/api/v1/search?query=${encodeURIComponent(PHRASE)}`;
  await send(site, session, { method: 'GET', path });
  const delays = await stop();
  return [
    measurement('save 100,000 hostile words, slowest', {
      unit: 'ms',
      ours: Math.max(...saves),
      limit: SAVE_MS,
      bar: 1,
    }),
    measurement('/api/health meanwhile, beyond idle, slowest', {
      unit: 'ms',
      ours: Math.max(...delays) - idle,
      limit: DELAY_MS,
      bar: 1,
    }),
  ];
}

/** What a member can do to everybody with texts of the largest accepted size. */
export const hostileTextsBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const longest = measurement('longest step of an algorithm over them', {
      unit: 'ms',
      ours: Math.max(...Object.values(HOSTILE_TEXTS).map((texts) => longestStep(...texts(MAX_WORDS)))),
      limit: STEP_MS,
      bar: 1,
    });
    const measured = await measureRequests(app.url, await bench.uploader());
    console.log(`  ${describeDelay(longestDelay(app.dataDir))}`);
    return [...measured, longest];
  },
};
