import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { clip, openPlayer, SECONDS, stateOf } from './player-steps';

interface StorageRequest {
  path: string;
  status: number;
  cached: boolean;
  cacheControl: string | undefined;
}

/** Notes what a page gets from storage, and whether its own cache had it. */
async function recordStorageRequests(page: Page, storage: string): Promise<StorageRequest[]> {
  const fetches: StorageRequest[] = [];
  const session = await page.context().newCDPSession(page);
  const fromMemory = new Set<string>();
  session.on('Network.requestServedFromCache', ({ requestId }) => fromMemory.add(requestId));
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.url.startsWith(storage)) return;
    fetches.push({
      path: new URL(response.url).pathname.split('/').at(-1) ?? '',
      status: response.status,
      cached: response.fromDiskCache === true || fromMemory.has(requestId),
      cacheControl: response.headers['Cache-Control'] ?? response.headers['cache-control'],
    });
  });
  await session.send('Network.enable');
  return fetches;
}

/** Addresses in storage change with the clock's hour, so what spans it is done again. */
async function withFixedHour(work: () => Promise<void>): Promise<void> {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  let began: number;
  do {
    began = hour();
    await work();
  } while (hour() !== began);
}

/** Plays a video to its end, fast, which loads all of it. */
async function playToEnd(video: Locator): Promise<void> {
  await video.evaluate((element: HTMLVideoElement) => {
    Object.assign(element, { muted: true, playbackRate: 16, currentTime: 0 });
    return element.play();
  });
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.ended)).toBe(true);
}

test('thumbnails and videos come from the browser’s own cache when they are seen again', async ({
  page,
  app,
  upload,
}) => {
  const entry = await upload(await clip());
  const fetches = await recordStorageRequests(page, app.addresses.storage);
  const named = (name: string) => fetches.filter(({ path }) => path === name);
  const picture = page.getByRole('img', { name: `Thumbnail for ${entry.title}` });
  const drawn = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
  let seenAgain = 0;

  await withFixedHour(async () => {
    fetches.length = 0;
    for (const path of ['/journals', '/', '/journals']) {
      await page.goto(path);
      await expect.poll(drawn).toBe(true);
    }
    await playToEnd(await openPlayer(page, `/entry/${entry.id}`));
    seenAgain = named('video.mp4').length;
    const video = await openPlayer(page, `/entry/${entry.id}`);
    await playToEnd(video);
    await video.evaluate((element: HTMLVideoElement, time) => {
      element.currentTime = time;
    }, SECONDS / 2);
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.seeking)).toBe(false);
    await expect.poll(async () => (await stateOf(video)).readyState).toBeGreaterThan(1);
  });

  const pictures = named('thumbnail.jpg');
  expect(pictures.filter(({ cached }) => !cached).length, 'fetched').toBeLessThanOrEqual(1);
  expect(pictures.some(({ cached }) => cached)).toBe(true);
  const again = named('video.mp4').slice(seenAgain);
  expect(again.some(({ cached }) => cached)).toBe(true);
  expect(new Set(named('video.mp4').map(({ status }) => status))).toEqual(new Set([206]));
  expect(new Set(fetches.map(({ cacheControl }) => cacheControl))).toEqual(
    new Set(['private, max-age=3600']),
  );
});
