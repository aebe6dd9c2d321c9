import { chromium, type Page } from 'playwright';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { findChromium } from '@/test/chromium';
import type { Benchmark } from './bench';
import { h264Small } from './clips';
import { measurement, quantile } from './measurements';
import { seedEntry, spokenWords } from './seed';
import { threadMilliseconds } from './trace';

const WORDS = 10_000;
/** 100 words a second: with every frame the current word is another one. */
const SECONDS = 100;
const WATCHED_MS = 8000;
const ALLOWED_MS = 4;
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...[
    '--disable-background-networking',
    '--disable-component-update',
    '--autoplay-policy=no-user-gesture-required',
  ],
];

/** Text, as tsx gives a function's own name to a helper that the page does not have. */
const MARK_FRAMES = `{
  const video = document.querySelector('video');
  const shown = () => {
    performance.mark('word');
    video.requestVideoFrameCallback(shown);
  };
  video.requestVideoFrameCallback(shown);
}`;

/** How often anything is marked in the transcript while the video plays for a while. */
const marksPerSecond = (page: Page): Promise<number> =>
  page.getByRole('group', { name: 'Transcript words' }).evaluate(
    (panel) =>
      new Promise((resolve) => {
        let marks = 0;
        const observer = new MutationObserver((changes) => {
          marks += new Set(changes.map((change) => change.target)).size;
        });
        observer.observe(panel, { subtree: true, attributes: true });
        setTimeout(() => {
          observer.disconnect();
          resolve(marks / 2);
        }, 2000);
      }),
  );

/**
 * What a change of the current word costs the page's thread in Chromium: script, style, layout and paint of a frame
 * in which it changed, in CPU milliseconds.
 */
export const transcript: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { userId, cookie } = await bench.uploader();
    const words = spokenWords(WORDS, SECONDS);
    const entryId = await seedEntry(userId, { title: 'Long', date: '2025-01-01', seconds: SECONDS, words });
    const video = await h264Small(bench.folder, SECONDS);
    await uploadObject(video, entryKey(userId, entryId, 'video.mp4'), 'video/mp4');
    const [name = '', value = ''] = (await cookie()).split('=');

    const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
    try {
      const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
      await context.addCookies([{ name, value, url: app.url }]);
      const page = await context.newPage();
      await page.goto(`${app.url}/entry/${entryId}`);
      await page.locator('video').evaluate((element) => (element as HTMLVideoElement).play());
      const rate = await marksPerSecond(page);
      if (rate < 10) throw new Error(`The words do not follow the video: ${rate} marks a second.`);
      await page.evaluate(MARK_FRAMES);
      await browser.startTracing(page, {
        categories: ['toplevel', 'devtools.timeline', 'blink.user_timing', '__metadata'],
      });
      await page.waitForTimeout(WATCHED_MS);
      const frames = threadMilliseconds(JSON.parse(String(await browser.stopTracing())), 'word');
      if (frames.length < 50) throw new Error(`Only ${frames.length} frames were seen.`);
      const [typical, rare] = [quantile(frames, 0.5), quantile(frames, 0.95)];
      const of = { unit: 'CPU ms', limit: ALLOWED_MS };
      return [
        measurement('word change at 10,000 words', { ...of, ours: typical, bar: 1 }),
        // One in twenty begins a paragraph or scrolls, which may take up to half of a frame at 60 Hz.
        measurement('the same, slowest twentieth', { ...of, ours: rare, bar: 2 }),
      ];
    } finally {
      await browser.close();
    }
  },
};
