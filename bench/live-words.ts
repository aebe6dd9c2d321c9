import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright';
import type { DraftTranscript } from '@/lib/speech/draft';
import { findChromium } from '@/test/chromium';
import { spokenMicrophone } from '@/test/media/spoken-microphone';
import type { Benchmark } from './bench';
import { type Measurement, measurement, median, quantile } from './measurements';

const FRAME_RATE = 20;
/** Seconds recorded: the sentences, and a little more. */
const RECORDED_SECONDS = 34;
const ALLOWED_LAG_SECONDS = 3;
const ALLOWED_FINISH_SECONDS = 10;
const ALLOWED_MISSING_PERCENT = 1;
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
  ...[`--use-fake-device-for-media-stream=fps=${FRAME_RATE}`, '--use-fake-ui-for-media-stream'],
];

interface Watched {
  /** When the recorder started, in milliseconds of `performance.now()`. */
  since: number;
  slices: Blob[];
  /** What the captions said, and when. */
  shown: { at: number; text: string }[];
}

declare global {
  interface Window {
    watched: Watched;
  }
}

/** Makes a page remember what it records, and what its captions say. Runs in the page. */
function watchPage(): void {
  const watched: Watched = { since: 0, slices: [], shown: [] };
  window.watched = watched;
  const start = MediaRecorder.prototype.start;
  MediaRecorder.prototype.start = function (slice) {
    this.addEventListener('dataavailable', ({ data }) => watched.slices.push(data));
    start.call(this, slice);
    watched.since = performance.now();
  };
  const note = () => {
    const text = document.querySelector('[aria-label="Words as you speak"]')?.textContent ?? '';
    if (watched.shown.at(-1)?.text !== text) watched.shown.push({ at: performance.now(), text });
  };
  const changes = { childList: true, subtree: true, characterData: true };
  new MutationObserver(note).observe(document, changes);
}

/** Returns what was heard in the recording that's on this device. Runs in the page. */
async function readDraft(): Promise<DraftTranscript | null> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await done(indexedDB.open('daylight-words'));
  const [stored] = await done(database.transaction('words').objectStore('words').getAll());
  return stored?.draft ?? null;
}

/** Returns the recording. Runs in the page. */
function readRecording(): Promise<string> {
  const reader = new FileReader();
  reader.readAsDataURL(new Blob(window.watched.slices));
  return new Promise((resolve) => {
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
  });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Records what the microphone says. */
async function record(page: Page, words: boolean): Promise<void> {
  const wanted = page.getByLabel('Show words as I speak');
  await page.goto('/upload');
  await wanted.setChecked(words);
  if (words) await page.getByText('Ready. English only.').waitFor({ timeout: 60_000 });
  await button(page, 'Start Recording').click();
  await button(page, 'Stop Recording').waitFor();
  await page.waitForTimeout(RECORDED_SECONDS * 1000);
  await button(page, 'Stop Recording').click();
}

/** Returns the percentage of frames that a recording doesn't have. */
async function missingFrames(page: Page, file: string): Promise<number> {
  await writeFile(file, Buffer.from(await page.evaluate(readRecording), 'base64'));
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', ...entries, file]);
  const times = stdout.split('\n').filter(Boolean).map(Number.parseFloat);
  const expected = (Math.max(...times) - Math.min(...times)) * FRAME_RATE + 1;
  return Math.max(0, 100 * (1 - times.length / expected));
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z' ]/g, ' ')
    .split(' ')
    .filter(Boolean)
    .join(' ');

/** Returns for each word how long after it was said it was on screen, in seconds. */
function lagsOf(draft: DraftTranscript, { since, shown }: Omit<Watched, 'slices'>): number[] {
  const screens = shown.map(({ at, text }) => ({ second: (at - since) / 1000, text: plain(text) }));
  return draft.words.slice(2).flatMap(({ endTime }, index) => {
    const phrase = plain(
      draft.words
        .slice(index, index + 3)
        .map(({ word }) => word)
        .join(' '),
    );
    const screen = screens.find(({ text }) => text.includes(phrase));
    return screen ? [screen.second - endTime] : [];
  });
}

/** Recordings in Chromium with a spoken microphone, with and without words. */
export const liveWordsBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { cookie } = await bench.uploader();
    const [name = '', value = ''] = (await cookie()).split('=');
    const args = [...ARGUMENTS, ...(await spokenMicrophone())];
    /** Opens a browser, since a file is played from when the first page opens the microphone. */
    const inBrowser = async <T>(work: (page: Page, context: BrowserContext) => Promise<T>): Promise<T> => {
      const browser = await chromium.launch({ executablePath: findChromium(), args });
      const context = await browser.newContext({
        baseURL: app.url,
        viewport: { width: 1360, height: 900 },
        permissions: ['camera', 'microphone'],
      });
      await context.addCookies([{ name, value, url: app.url }]);
      await context.addInitScript(watchPage);
      return work(await context.newPage(), context).finally(() => browser.close());
    };
    const without = await inBrowser(async (page) => {
      await record(page, false);
      return missingFrames(page, join(bench.folder, 'without-words'));
    });
    return inBrowser(async (page) => {
      await record(page, true);
      const stopped = performance.now();
      await page.getByText('You can correct these words after you upload.').waitFor();
      const finished = (performance.now() - stopped) / 1000;
      const draft = await page.evaluate(readDraft);
      const { since, shown } = await page.evaluate(() => window.watched);
      const lags = draft ? lagsOf(draft, { since, shown }) : [];
      const missing = await missingFrames(page, join(bench.folder, 'with-words'));
      const lag = { unit: 's', limit: ALLOWED_LAG_SECONDS, bar: 1 };
      const frames = { unit: '%', limit: without + ALLOWED_MISSING_PERCENT };
      return [
        measurement('voice to text, median', { ...lag, ours: median(lags) }),
        measurement('voice to text, 95% of words', { ...lag, ours: quantile(lags, 0.95) }),
        measurement('Stop to last words', {
          unit: 's',
          ours: finished,
          limit: ALLOWED_FINISH_SECONDS,
          bar: 1,
        }),
        measurement('missing frames without words', { ...frames, ours: without, bar: 10 }),
        measurement('missing frames with words', { ...frames, ours: missing, bar: 1 }),
      ] satisfies Measurement[];
    });
  },
};
