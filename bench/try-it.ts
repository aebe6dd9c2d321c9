import { chromium, type Page } from 'playwright';
import { findChromium } from '@/test/chromium';
import { spokenMicrophone } from '@/test/media/spoken-microphone';
import type { Benchmark } from './bench';
import { RECORDER_ARGUMENTS } from './live-words';
import { measurement } from './measurements';

/** Seconds recorded, of which the microphone is silent for six: until all of its sentences are said. */
const RECORDED_SECONDS = 34;
const ALLOWED_SECONDS = 15;
const LAST_WORD = 'himself';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The landing page's recording, by somebody without an account: from Stop to words that play when they're pressed. */
export const tryItBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const { url } = await bench.app();
    const args = [...RECORDER_ARGUMENTS, ...(await spokenMicrophone())];
    const browser = await chromium.launch({ executablePath: findChromium(), args });
    try {
      const page = await browser.newPage({ baseURL: url, permissions: ['camera', 'microphone'] });
      await page.goto('/');
      await button(page, 'Try it now').click();
      await button(page, 'Stop Recording').waitFor({ timeout: 60_000 });
      await page.waitForTimeout(RECORDED_SECONDS * 1000);
      await button(page, 'Stop Recording').click();
      const stopped = performance.now();
      await page.getByRole('group', { name: 'Transcript words' }).getByText(LAST_WORD).last().click();
      const ours = (performance.now() - stopped) / 1000;
      return [measurement('Stop to clickable words', { unit: 's', ours, limit: ALLOWED_SECONDS, bar: 1 })];
    } finally {
      await browser.close();
    }
  },
};
