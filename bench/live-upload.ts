import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { projectRoot } from '@/local/up/data-dir';
import { findChromium } from '@/test/chromium';
import type { Benchmark } from './bench';
import { type Measurement, measurement } from './measurements';

/** Seconds recorded. */
const LENGTHS = [10, 30, 60];
const ALLOWED_SECONDS = 3;
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
  ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
];

/** Records for so long, and gives the seconds from 'Upload Video' until the gallery shows the entry. */
async function secondsToGallery(page: Page, site: string, length: number): Promise<number> {
  const title = `Recorded for ${length} s`;
  await page.goto(`${site}/upload`);
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Start Recording' }).click();
  await page.getByRole('button', { name: 'Stop Recording' }).waitFor();
  await page.waitForTimeout(length * 1000);
  await page.getByRole('button', { name: 'Stop Recording' }).click();
  const upload = page.getByRole('button', { name: 'Upload Video' });
  await upload.waitFor();
  const began = performance.now();
  await upload.click();
  await page.waitForURL('**/journals');
  await page.getByRole('article').filter({ hasText: title }).waitFor();
  return (performance.now() - began) / 1000;
}

/** From 'Upload Video' to the gallery for recordings that were sent while they were made; it may not grow with them. */
export const liveUploadBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { cookie } = await bench.uploader();
    const [name = '', value = ''] = (await cookie()).split('=');
    const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
    try {
      const context = await browser.newContext({
        viewport: { width: 1360, height: 900 },
        permissions: ['camera', 'microphone'],
      });
      await context.addCookies([{ name, value, url: app.url }]);
      // Some megabytes a second, so that there is something to send.
      await context.addInitScript({ path: join(projectRoot, 'e2e', 'journeys', 'noisy-camera.js') });
      const page = await context.newPage();
      const figures: Measurement[] = [];
      for (const length of LENGTHS) {
        const ours = await secondsToGallery(page, app.url, length);
        const of = { unit: 's', ours, limit: ALLOWED_SECONDS, bar: 1 };
        figures.push(measurement(`upload to gallery, recorded for ${length} s`, of));
      }
      return figures;
    } finally {
      await browser.close();
    }
  },
};
