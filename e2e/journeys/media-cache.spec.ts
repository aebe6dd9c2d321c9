import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { clip, open, SECONDS, stateOf } from './player-steps';

interface Fetch {
  path: string;
  status: number;
  cached: boolean;
  cacheControl: string | undefined;
}

/** Notes what a page gets from storage, and whether its own cache had it. */
async function watchStorage(page: Page, storage: string): Promise<Fetch[]> {
  const fetches: Fetch[] = [];
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
async function withinOneHour(work: () => Promise<void>): Promise<void> {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  let began: number;
  do {
    began = hour();
    await work();
  } while (hour() !== began);
}

/** Waits until all of a video has arrived. */
async function whole(video: Locator): Promise<void> {
  const missing = () =>
    video.evaluate(({ buffered, duration }: HTMLVideoElement) =>
      buffered.length > 0 ? duration - buffered.end(buffered.length - 1) : duration,
    );
  await expect.poll(missing).toBeLessThan(0.5);
}

test('thumbnails and videos come from the browser’s own cache when they are seen again', async ({
  page,
  app,
  upload,
}) => {
  const entry = await upload(await clip());
  const fetches = await watchStorage(page, app.addresses.storage);
  const picture = page.getByRole('img', { name: `Thumbnail for ${entry.title}` });
  const drawn = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

  await withinOneHour(async () => {
    fetches.length = 0;
    for (const path of ['/journals', '/', '/journals']) {
      await page.goto(path);
      await expect.poll(drawn).toBe(true);
    }
    const pictures = fetches.filter(({ path }) => path === 'thumbnail.jpg');
    expect(pictures.filter(({ cached }) => !cached).length, 'fetched').toBeLessThanOrEqual(1);
    expect(pictures.some(({ cached }) => cached)).toBe(true);

    const videos = () => fetches.filter(({ path }) => path === 'video.mp4');
    await whole(await open(page, `/entry/${entry.id}`));
    const first = videos().length;
    const video = await open(page, `/entry/${entry.id}`);
    await whole(video);
    for (const time of [SECONDS - 5, 2]) {
      await video.evaluate(
        (element: HTMLVideoElement, to) => Object.assign(element, { currentTime: to }),
        time,
      );
      await expect.poll(() => stateOf(video)).toMatchObject({ time, readyState: 4 });
    }
    expect(
      videos()
        .slice(first)
        .some(({ cached }) => cached),
    ).toBe(true);
    expect(new Set(videos().map(({ status }) => status))).toEqual(new Set([206]));
  });
  for (const { cacheControl } of fetches) expect(cacheControl).toBe('private, max-age=3600');
});
