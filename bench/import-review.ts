import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findChromium } from '@/test/chromium';
import type { Benchmark } from './bench';
import { measurement, quantile } from './measurements';
import { threadMilliseconds } from './trace';

const CLIPS = 5000;
const ALLOWED_FRAME_MS = 1000 / 60;
const ALLOWED_SECONDS = 30;
const FRAMES = 240;

/** Scrolls to the end and back, and marks each frame. Text, as tsx gives a function's own name to a helper. */
const SCROLL = `new Promise((resolve) => {
  const scroller = document.scrollingElement;
  let frame = 0;
  const next = () => {
    performance.mark('frame');
    scroller.scrollTop += frame < ${FRAMES} / 2 ? 200 : -200;
    frame += 1;
    if (frame < ${FRAMES}) requestAnimationFrame(next);
    else resolve();
  };
  requestAnimationFrame(next);
})`;

/** Writes clips of different sizes that nobody has to decode: only their names are read. */
function writeClips(folder: string): void {
  const head = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');
  for (let index = 0; index < CLIPS; index += 1) {
    const day = new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10);
    const month = join(folder, day.slice(0, 7));
    mkdirSync(month, { recursive: true });
    writeFileSync(join(month, `${day} Clip ${index}.mp4`), Buffer.concat([head, Buffer.alloc(index)]));
  }
}

/** The list of clips before an import, as long as it may get. */
export const importReviewBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { cookie } = await bench.uploader();
    const [name = '', value = ''] = (await cookie()).split('=');
    const folder = join(bench.folder, 'clips');
    writeClips(folder);
    const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
      await context.addCookies([{ name, value, url: app.url }]);
      const page = await context.newPage();
      await page.goto(`${app.url}/upload/import`);
      const since = performance.now();
      await page.locator('input[aria-label="Folder to import"]').setInputFiles(folder);
      await page.getByRole('list', { name: 'Clips', exact: true }).waitFor({ timeout: 300_000 });
      const seconds = (performance.now() - since) / 1000;
      await browser.startTracing(page, {
        categories: ['toplevel', 'devtools.timeline', 'blink.user_timing', '__metadata'],
      });
      await page.evaluate(SCROLL);
      const frames = threadMilliseconds(JSON.parse(String(await browser.stopTracing())), 'frame');
      if (frames.length < FRAMES / 2) throw new Error(`Only ${frames.length} frames were seen.`);
      const of = { unit: 'CPU ms', limit: ALLOWED_FRAME_MS, bar: 1 };
      return [
        measurement(`scrolling ${CLIPS} clips, a frame`, { ...of, ours: quantile(frames, 0.5) }),
        measurement('the same, slowest twentieth', { ...of, ours: quantile(frames, 0.95) }),
        measurement(`reading ${CLIPS} clips`, { unit: 's', ours: seconds, limit: ALLOWED_SECONDS, bar: 1 }),
      ];
    } finally {
      await browser.close();
    }
  },
};
