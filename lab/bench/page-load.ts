import { eq } from 'drizzle-orm';
import { type Browser, chromium } from 'playwright';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { makeDemoJournal } from '@/local/demo/demo';
import { findChromium } from '@/test/chromium';
import type { BenchContext, Benchmark } from './bench';
import { pagesToMeasure } from './bundle-size';
import { type Measurement, measurement, median } from './measurements';
import type { RequestTarget } from './requests';
import { sessionCookie } from './seed';

const ALLOWED_SECONDS = 2;
const ALLOWED_SHIFT = 0.05;
const ROUNDS = 3;
/** Slow 4G as Lighthouse has it. */
const NETWORK = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
/** How long a page is watched, in milliseconds. */
const WATCHED = 6000;
interface Load {
  /** Seconds until the largest thing was painted. */
  largest: number;
  shift: number;
}

/** Collects in the page what it paints and shifts. */
function observe(): void {
  const load = { largest: 0, shift: 0 };
  Object.assign(window, { load });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) load.largest = startTime / 1000;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      load.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Loads a page on a slow phone. */
async function loadPage(browser: Browser, { url, cookie }: RequestTarget): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    serviceWorkers: 'block',
  });
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true }]);
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForTimeout(WATCHED);
  const load = await page.evaluate(() => Reflect.get(window, 'load') as Load);
  await context.close();
  return load;
}

/** A journal whose entries have pictures. */
async function demoJournal(bench: BenchContext) {
  await bench.app();
  const email = 'demo@bench.invalid';
  const today = new Date().toISOString().slice(0, 10);
  await makeDemoJournal({ email, password: 'bench-password', today, entries: 12 });
  const [owner] = await db().select({ id: users.id }).from(users).where(eq(users.email, email));
  const [entry] = await db()
    .select({ id: entries.id })
    .from(entries)
    .where(eq(entries.userId, owner?.id ?? ''));
  return { entryId: entry?.id ?? '', cookie: () => sessionCookie(owner?.id ?? '', true) };
}

/** How soon every page shows what it's about on a phone with a slow connection, and how much it shifts. */
export const pageLoadBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const journal = await demoJournal(bench);
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    });
    const figures: Measurement[] = [];
    try {
      for (const { name, target } of await pagesToMeasure(bench, journal)) {
        const loads: Load[] = [];
        for (let round = 0; round < ROUNDS; round += 1) loads.push(await loadPage(browser, target));
        const seconds = median(loads.map(({ largest }) => largest));
        const shift = Math.max(...loads.map((load) => load.shift));
        figures.push(
          measurement(`LCP of ${name}`, { unit: 's', ours: seconds, limit: ALLOWED_SECONDS, bar: 1 }),
          measurement(`CLS of ${name}`, { unit: '', ours: shift, limit: ALLOWED_SHIFT, bar: 1 }),
        );
      }
    } finally {
      await browser.close();
    }
    return figures;
  },
};
