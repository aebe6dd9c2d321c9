import { waitForProcessing } from '@/e2e/client';
import { listEntries } from '@/lib/journal/entries/contract';
import { waitUntil } from '@/local/up/processes';
import { vp8Webm } from '@/test/media/clips';
import {
  type BrowserPage,
  button,
  css,
  field,
  see,
  seeNone,
  seePath,
  text,
  Unsupported,
  until,
} from '../page';
import { expectAdvances, type Journey, signIn, type Visit, waitForVideo } from './journey';

const LIVE = '[aria-label="Live preview"]';
const stop = button('Stop Recording');
const saved = { role: 'heading', name: /saved on this device/ } as const;

async function startRecording(page: BrowserPage): Promise<void> {
  await page.click(button(/^Start (New )?Recording$/));
  const skip = button('Skip countdown');
  await until('it counts', async () => (await page.count(skip)) + (await page.count(stop)) > 0);
  // It may have ended by itself.
  if (await page.count(skip)) await page.click(skip).catch(() => {});
  await see(page, stop);
}

/** @throws Unsupported if the browser's recorder gives no data, which the studio has to say */
async function expectRecords(page: BrowserPage): Promise<void> {
  const records = await page.evaluate(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true });
    const recorder = new MediaRecorder(stream);
    const bytes = await new Promise<number>((resolve) => {
      recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && resolve(data.size));
      recorder.start(250);
      setTimeout(resolve, 5000, 0);
    });
    recorder.stop();
    for (const track of stream.getTracks()) track.stop();
    return bytes > 0;
  });
  if (records) return;
  await page.goto('/upload');
  await startRecording(page);
  await see(page, text(/This browser can’t record video/));
  await page.goto('/');
  throw new Unsupported('its recorder gives no data; the studio says so');
}

/** Waits until the picture has run for some seconds. */
async function recordFor(page: BrowserPage, seconds: number): Promise<void> {
  const time = () =>
    page.evaluate((live) => document.querySelector<HTMLVideoElement>(live)?.currentTime ?? 0, LIVE);
  const from = await time();
  await until(`it records for ${seconds} s`, time, (now) => now > from + seconds);
}

async function stopRecording(page: BrowserPage): Promise<void> {
  await page.click(stop);
  await see(page, css('[aria-label="Recorded video"]'));
}

/** Discards the recording that's offered, and waits until that's saved: it's out of sight before. */
async function discard(page: BrowserPage): Promise<void> {
  await page.click(button('Discard'));
  await see(page, text('Recording discarded.'));
  await seeNone(page, saved);
}

/** Waits until an entry can be watched, and watches it. */
async function watchEntry({ page, account }: Visit, title: string): Promise<void> {
  const named = async () => (await account.api.call(listEntries)).find((one) => one.title === title);
  if (!(await waitUntil(async () => Boolean(await named()), 30_000)))
    throw new Error(`There is no ${title}.`);
  const entry = await waitForProcessing(account.api, (await named())?.id ?? '');
  if (entry.videoStatus !== 'ready') throw new Error(`Its video is ${entry.videoStatus}.`);
  await page.goto(`/entry/${entry.id}`);
  await waitForVideo(page);
  await page.click(button('Play'));
  await expectAdvances(page);
}

export const record: Journey = {
  name: 'Record, upload, and watch',
  async run(visit) {
    const { page, site, engine } = visit;
    const title = `Recorded in ${engine.name}`;
    await page.goto('/upload');
    await expectRecords(page);
    await startRecording(page);
    await recordFor(page, 4);
    await stopRecording(page);
    await page.evaluate(() =>
      document.querySelector<HTMLVideoElement>('[aria-label="Recorded video"]')?.play(),
    );
    await expectAdvances(page);
    await page.fill(field('Title'), title);
    await page.click(button('Upload Video'));
    await seePath(page, '/journals');
    await watchEntry(visit, title);
    const [row] = await site.sql`select content_type from entries where title = ${title}`;
    return row?.content_type as string;
  },
};

export const recover: Journey = {
  name: 'Recover a recording after a crash',
  async run({ page, session, engine, account }) {
    await page.goto('/upload');
    await expectRecords(page);
    await startRecording(page);
    await recordFor(page, 5);
    await session.crash();
    const next = await session.newPage();
    // Chromium writes cookies to disk every 30 s, so the crash may have logged out whoever had just logged in.
    await signIn(next, account);
    await next.goto('/upload');
    await see(next, saved);
    const label = '[aria-label="Recovered recording"]';
    const isLoaded = (selector: string) =>
      (document.querySelector<HTMLVideoElement>(selector)?.readyState ?? 0) > 0;
    await until('the recording has loaded', () => next.evaluate(isLoaded, label));
    const play = (selector: string) => document.querySelector<HTMLVideoElement>(selector)?.play();
    await next.evaluate(play, label);
    await expectAdvances(next);
    await discard(next);
    await next.close();
    return engine.crashes === 'page' ? 'the page’s process was killed' : undefined;
  },
};

export const upload: Journey = {
  name: 'Upload a file',
  async run(visit) {
    const { page, engine } = visit;
    const title = `Uploaded from ${engine.name}`;
    await page.goto('/upload');
    await page.fill(field('Title'), title);
    await page.fill(field('Date'), '01/31/2026');
    await page.upload('input[type=file]', [await vp8Webm()]);
    await see(page, text('vp8.webm'));
    await page.click(button('Upload Video'));
    await seePath(page, '/journals');
    await watchEntry(visit, title);
  },
};

export const twoTabs: Journey = {
  name: 'Two tabs record, and one is left',
  async run({ page, session }) {
    await page.goto('/upload');
    await expectRecords(page);
    await startRecording(page);
    await recordFor(page, 2);
    await stopRecording(page);
    const other = await session.newPage();
    await other.goto('/upload');
    await see(other, button('Start Recording'));
    if (await other.count(saved)) throw new Error('A tab offers what another tab is using.');
    await page.close();
    await see(other, saved);
    await discard(other);
    await other.close();
  },
};
