import { expect, test } from '../fixtures';

/** Slow 4G and a slow phone, as Lighthouse has them. Latency in milliseconds, the rest in bytes per second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
const CPU_SLOWDOWN = 4;

const MAX_SHIFT = 0.02;

for (const [width, height] of [
  [390, 844],
  [320, 640],
  [768, 1024],
] as const) {
  test(`the home page stays where it is while it loads on a slow device ${width} pixels wide`, async ({
    browser,
    baseURL,
    watch,
  }) => {
    const context = await browser.newContext({ baseURL, viewport: { width, height }, isMobile: true });
    watch.observe(context);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const moved = { total: 0 };
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
          moved.total += entry.value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto('/', { waitUntil: 'networkidle' });
    // The typefaces come last, and are what may move words.
    const typefaces = await page.evaluate(async () => {
      const loaded = [...(await document.fonts.ready)].filter(({ status }) => status === 'loaded');
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return loaded.map(({ family }) => family);
    });
    expect(typefaces).toEqual(expect.arrayContaining(['figtree', 'literata']));
    const total = await page.evaluate(() => (Reflect.get(window, 'moved') as { total: number }).total);
    expect(total).toBeLessThanOrEqual(MAX_SHIFT);
    await context.close();
  });
}
