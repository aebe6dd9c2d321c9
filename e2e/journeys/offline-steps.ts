import type { Page } from '@playwright/test';
import { expect } from '../fixtures';
import { button, recordFor, startRecording, stopRecording } from './recording-steps';

/** Opens a page while there's a network, and waits until what's shown without one is cached. */
export async function prepareOffline(page: Page, site = ''): Promise<void> {
  await page.goto(`${site}/`);
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const cache = await caches.open('daylight-shell');
        const hasTags = Object.keys(localStorage).some((key) => key.endsWith(':tags'));
        return hasTags && (await cache.match('/offline/files')) !== undefined;
      }),
    )
    .toBe(true);
}

/** What the browser's console says of requests without a network. */
export const OFFLINE_ERRORS = /net::ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)/;

/** Makes a short recording and uploads it, which waits while there's no network. */
export async function recordAndUpload(page: Page, title: string, tag?: string): Promise<void> {
  await startRecording(page);
  await recordFor(page, 1);
  await stopRecording(page);
  await page.getByLabel('Title').fill(title);
  if (tag) await button(page, `Add tag ${tag}`).click();
  await button(page, 'Upload Video').click();
  await expect(page.getByText(`“${title}” is saved on this device.`)).toBeVisible();
}
