import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { waitUntil } from '@/local/up/processes';
import { bundleServiceWorker } from '@/scripts/build-service-worker';
import { findChromium } from '@/test/chromium';
import type { Benchmark } from './bench';
import { RECORDER_ARGUMENTS } from './live-words';
import { interleave, type Measurement, measurement, median } from './measurements';
import { CACHING_TIMEOUT, isShellCached, loadPage } from './page-load';
import { seedAccount } from './seed';

const ROUNDS = 5;
const ALLOWED_SECONDS = 3;
const ALLOWED_WORKER_KB = 15;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a page of the journal, and waits until what's shown without a network is cached. */
async function prepare(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url);
  await waitUntil(() => isShellCached(page), CACHING_TIMEOUT);
  // Three seconds of it aren't Daylight's.
  await page.evaluate(() => localStorage.setItem('daylight-countdown', 'off'));
  await page.close();
}

/** Opens a browser on a profile in which somebody has used Daylight before. */
const openProfile = (profile: string) =>
  chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: RECORDER_ARGUMENTS,
    permissions: ['camera', 'microphone'],
  });

/** Returns the seconds from opening Daylight without a network, in a browser that has just been started, until it records. */
async function coldStart(profile: string, url: string): Promise<number> {
  const context = await openProfile(profile);
  try {
    await context.setOffline(true);
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(url);
    await button(page, 'Start Recording').click();
    await button(page, 'Stop Recording').waitFor();
    return (performance.now() - started) / 1000;
  } finally {
    await context.close();
  }
}

/** Without a network: from opening Daylight to recording. With one: what the service worker costs. */
export const offlineBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const { url } = await bench.app();
    const account = await seedAccount();
    const profile = await mkdtemp(join(tmpdir(), 'daylight-bench-'));
    const figures: Measurement[] = [];
    try {
      const [name = '', value = ''] = (await account.cookie()).split('=');
      const context = await openProfile(profile);
      await context.addCookies([{ name, value, url, httpOnly: true }]);
      await prepare(context, url);
      await context.close();
      const starts: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) starts.push(await coldStart(profile, url));
      const ours = median(starts);
      figures.push(
        measurement('offline, opening to recording', { unit: 's', ours, limit: ALLOWED_SECONDS, bar: 1 }),
      );
    } finally {
      await rm(profile, { recursive: true, force: true });
    }
    const kilobytes = gzipSync(await bundleServiceWorker()).length / 1000;
    figures.push(
      measurement('service worker, gzipped', {
        unit: 'kB',
        ours: kilobytes,
        limit: ALLOWED_WORKER_KB,
        bar: 1,
      }),
    );
    const browser = await chromium.launch({ executablePath: findChromium(), args: RECORDER_ARGUMENTS });
    try {
      const target = { url: `${url}/journals`, cookie: await account.cookie() };
      const lcp = async (serviceWorkers: 'allow' | 'block') =>
        (await loadPage(browser, target, serviceWorkers)).largest;
      const { with: ours, without: limit } = await interleave(ROUNDS, {
        with: () => lcp('allow'),
        without: () => lcp('block'),
      });
      figures.push(
        measurement('LCP of /journals with the service worker', { unit: 's', ours, limit, bar: 1.05 }),
      );
    } finally {
      await browser.close();
    }
    return figures;
  },
};
