import type { Page } from '@playwright/test';
import { getEntry, listEntries } from '@/lib/journal/entries/contract';
import { expect, test } from '../fixtures';
import { button, recordFor, startRecording, stopRecording } from './recording-steps';
import { expectPlays } from './video-assertions';

declare global {
  interface Window {
    /** What the page has opened. */
    openedTracks: MediaStreamTrack[];
  }
}

/** Keeps what a page opens. To be called before it's opened. */
const watchTracks = (page: Page) =>
  page.addInitScript(() => {
    window.openedTracks = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      window.openedTracks.push(...stream.getTracks());
      return stream;
    };
  });

/** The cameras and microphones that a page has opened so far, and whether they're on. */
const tracksOf = (page: Page) =>
  page.evaluate(() => window.openedTracks.map(({ kind, readyState }) => `${kind} ${readyState}`));

/** Looks at a corner of a recording every quarter of a second: c is the camera, d the drawn picture, which is dark there. */
const cornersOf = (page: Page): Promise<string> =>
  page.getByLabel('Recorded video').evaluate(async (video: HTMLVideoElement) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1, 1];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    let corners = '';
    for (let at = 0; at < video.duration; at += 0.25) {
      await new Promise((resolve) => {
        video.addEventListener('seeked', resolve, { once: true });
        video.currentTime = at;
      });
      context?.drawImage(video, 8, 8, 1, 1, 0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      corners += Math.max(red, green, blue) < 40 ? 'd' : 'c';
    }
    video.currentTime = 0;
    return corners;
  });

/** Waits for a recording's length, which a browser reads from its end. */
const expectLength = (page: Page, seconds: number) =>
  expect
    .poll(() => page.getByLabel('Recorded video').evaluate((video: HTMLVideoElement) => video.duration))
    .toBeGreaterThan(seconds);

test('records a voice with a drawn picture, by the keyboard alone', async ({ page, api }) => {
  await watchTracks(page);
  await page.goto('/upload');
  await button(page, 'Leave camera off').focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Use camera')).toBeFocused();
  await expect(page.getByText('Your camera stays off.')).toBeVisible();
  await startRecording(page);
  await recordFor(page, 3);
  expect(await tracksOf(page)).toEqual(['audio live']);
  await stopRecording(page);
  expect(await tracksOf(page)).toEqual(['audio ended']);
  await expectLength(page, 2);
  expect(await cornersOf(page)).toMatch(/^d+$/);
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  const [entry] = await api.call(listEntries);
  const statusOf = async () => (await api.call(getEntry, { params: { id: entry?.id ?? '' } })).videoStatus;
  await expect.poll(statusOf).toBe('ready');
  await page.goto(`/entry/${entry?.id}`);
  const video = page.locator('video');
  await expectPlays(video);
  expect(
    await video.evaluate((element: HTMLVideoElement) => [element.videoWidth, element.videoHeight]),
  ).toEqual([1280, 720]);
});

test('turns the camera off during a recording, and on again', async ({ page }) => {
  await watchTracks(page);
  await page.goto('/upload');
  await startRecording(page);
  await recordFor(page, 2);
  await button(page, 'Turn camera off').click();
  await expect(button(page, 'Turn camera on')).toBeVisible();
  expect((await tracksOf(page)).toSorted()).toEqual(['audio live', 'video ended']);
  await recordFor(page, 3);
  await button(page, 'Turn camera on').click();
  await expect(button(page, 'Turn camera off')).toBeVisible();
  await recordFor(page, 2);
  await stopRecording(page);
  expect(new Set(await tracksOf(page))).toEqual(new Set(['audio ended', 'video ended']));
  await expectLength(page, 6);
  expect(await cornersOf(page)).toMatch(/^c{4,}d{6,}c{4,}$/);
  await expectPlays(page.getByLabel('Recorded video'));
});

test('a countdown starts over when the camera is turned off in it', async ({ page }) => {
  await watchTracks(page);
  await page.goto('/upload');
  await button(page, 'See yourself first').click();
  await expect.poll(async () => (await tracksOf(page)).toSorted()).toEqual(['audio live', 'video live']);
  await button(page, 'Turn camera off').click();
  await expect
    .poll(async () => (await tracksOf(page)).toSorted())
    .toEqual(['audio ended', 'audio live', 'video ended']);
  await expect(button(page, 'Turn camera on')).toBeVisible();
  await startRecording(page);
  await recordFor(page, 1);
  await stopRecording(page);
});

test('offers to record without the camera that’s blocked', async ({ page }) => {
  // Chromium's own camera is never blocked without its microphone, so the answer is given in its place.
  await page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = (constraints) =>
      constraints?.video ? Promise.reject(new DOMException('', 'NotAllowedError')) : open(constraints);
  });
  await page.goto('/upload');
  await button(page, 'Start Recording').click();
  await expect(page.getByText('Your browser didn’t allow the camera.')).toBeVisible();
  await button(page, 'Record without camera').click();
  await expect(page.getByText('Your browser didn’t allow the camera.')).toHaveCount(0);
  await button(page, 'Skip countdown').click();
  await recordFor(page, 2);
  await stopRecording(page);
  await expectPlays(page.getByLabel('Recorded video'));
});
