import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { db } from '@/db/client';
import { vocabulary } from '@/db/schema/transcripts';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { projectRoot } from '@/local/up/data-dir';
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
/** What Chromium needs to record from a made-up camera. */
export const RECORDER_ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
  ...[`--use-fake-device-for-media-stream=fps=${FRAME_RATE}`, '--use-fake-ui-for-media-stream'],
];

interface Heard {
  words: DraftTranscript['words'];
  /** What the captions said, from which second of the recording on. */
  screens: { second: number; text: string }[];
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
  await writeFile(file, Buffer.from(await page.evaluate<string>('readRecording()'), 'base64'));
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
function lagsOf({ words, screens }: Heard): number[] {
  const texts = screens.map(({ second, text }) => ({ second, text: plain(text) }));
  return words.slice(2).flatMap(({ endTime }, index) => {
    const last = words.slice(index, index + 3).map(({ word }) => word);
    const screen = texts.find(({ text }) => text.includes(plain(last.join(' '))));
    return screen ? [screen.second - endTime] : [];
  });
}

/** 200 made-up names, the most that are kept for a person. */
const NAMES = 'Bel Dar Fen Gal Hal Jor Kel Lin Mar Nor'
  .split(' ')
  .flatMap((start) =>
    'a ah am an ard bert by da den dra ed en er ia ie in is on tha win'.split(' ').map((end) => start + end),
  );

/** Recordings in Chromium with a spoken microphone, with and without words. Names have been corrected before. */
export const liveWordsBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { userId, cookie } = await bench.uploader();
    await db()
      .insert(vocabulary)
      .values(NAMES.map((word) => ({ userId, word })));
    const [name = '', value = ''] = (await cookie()).split('=');
    const args = [...RECORDER_ARGUMENTS, ...(await spokenMicrophone())];
    /** Opens a browser, since a file is played from when the first page opens the microphone. */
    const inBrowser = async <T>(work: (page: Page, context: BrowserContext) => Promise<T>): Promise<T> => {
      const browser = await chromium.launch({ executablePath: findChromium(), args });
      const context = await browser.newContext({
        baseURL: app.url,
        viewport: { width: 1360, height: 900 },
        permissions: ['camera', 'microphone'],
      });
      await context.addCookies([{ name, value, url: app.url }]);
      await context.addInitScript({ path: join(projectRoot, 'bench', 'live-words-page.js') });
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
      const lags = lagsOf(await page.evaluate<Heard>('readWords()'));
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
