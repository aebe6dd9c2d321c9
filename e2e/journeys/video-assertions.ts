import { expect, type Locator, type Page } from '@playwright/test';

const timeOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);

/** Starts a video as a person does at the keyboard, and expects that it runs. */
export async function expectPlays(video: Locator): Promise<void> {
  await video.focus();
  await video.press(' ');
  await expectAdvances(video);
}

/** Expects that a video is playing and gets on. */
export async function expectAdvances(video: Locator): Promise<void> {
  const from = await timeOf(video);
  await expect.poll(() => timeOf(video), { message: 'the video gets on' }).toBeGreaterThan(from + 0.2);
  expect(await video.evaluate((element: HTMLVideoElement) => element.error?.message ?? null)).toBeNull();
}

/**
 * Listens, from when it resolves, for the next time that a video is sought.
 * @returns gives the moment that it arrived at, in seconds, once it has
 */
export async function listenForSeek(video: Locator): Promise<() => Promise<number>> {
  const name = 'arrived';
  await video.evaluate((element: HTMLVideoElement, property) => {
    const arrived = new Promise<number>((resolve) => {
      element.addEventListener('seeked', () => resolve(element.currentTime), { once: true });
    });
    Object.assign(element, { [property]: arrived });
  }, name);
  return () => video.evaluate((element, property) => Reflect.get(element, property) as Promise<number>, name);
}

/** Expects that the card of an entry shows a picture that has really been loaded. */
export async function expectThumbnail(page: Page, title: string): Promise<void> {
  const picture = page.getByRole('img', { name: `Thumbnail for ${title}` });
  await expect(picture).toBeVisible({ timeout: 90_000 });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

/** Marks the document, so that a reload can be told; `expectSameDocument` looks for the mark. */
export const markDocument = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-seen', ''));

export const expectSameDocument = (page: Page) =>
  expect(page.locator('html[data-seen]'), 'the page was not reloaded').toHaveCount(1);
