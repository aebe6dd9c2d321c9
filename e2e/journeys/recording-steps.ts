import type { Dialog, Page } from '@playwright/test';
import { expect } from '../fixtures';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Starts a recording without waiting for the countdown. */
export async function startRecording(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Start (New )?Recording$/ }).click();
  const skip = page.getByRole('button', { name: 'Skip countdown' });
  const stop = page.getByRole('button', { name: 'Stop Recording' });
  await expect(skip.or(stop)).toBeVisible();
  // It may end by itself before it is skipped.
  await skip.click({ timeout: 5000 }).catch(() => {});
  await expect(stop).toBeVisible();
}

/**
 * Makes each number of the countdown, which is there for 800 ms, stay until it's skipped or canceled. To be called
 * before the page is opened. @returns lets the numbers go again
 */
export async function pauseCountdown(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    window.setTimeout = ((work: () => void, after: number, ...rest: unknown[]) =>
      later(
        work,
        after === 800 && !Reflect.has(window, 'counts') ? 600_000 : after,
        ...rest,
      )) as typeof window.setTimeout;
  });
  return () => page.evaluate(() => Object.assign(window, { counts: true }) && undefined);
}

/** Waits until the picture has run for some seconds. */
export async function recordFor(page: Page, seconds: number): Promise<void> {
  const live = page.getByLabel('Live preview');
  const time = () => live.evaluate((element: HTMLVideoElement) => element.currentTime).catch(() => 0);
  const began = await time();
  await expect.poll(time).toBeGreaterThan(began + seconds);
}

export async function stopRecording(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop Recording' }).click();
  await expectStopped(page);
}

/** Waits for the recording that the studio just stopped. */
export async function expectStopped(page: Page): Promise<void> {
  await expect(page.getByLabel('Recorded video')).toBeVisible();
  // The studio steps back over the entry in the history that caught Back. Chromium drops a reload that comes before.
  await page.waitForFunction(() => navigation.canGoForward);
}

/** Reloads a page, and confirms that if the browser asks. */
export async function confirmReload(page: Page): Promise<void> {
  const confirm = (dialog: Dialog) => void dialog.accept();
  page.on('dialog', confirm);
  await page.reload();
  page.off('dialog', confirm);
}

/** What the studio shows of somebody's words. */
export const wordsOf = (page: Page) => ({
  wanted: page.getByLabel('Show words as I speak'),
  ready: page.getByText('Ready. English only.'),
  captions: page.getByRole('region', { name: 'Words as you speak' }),
  busy: page.getByText('This device is too busy to show your words right now.'),
  heard: page.getByRole('region', { name: 'Your words' }),
  recovered: page.getByRole('listitem').filter({ hasText: 'leisure' }),
  missing: page.getByText('Some words are missing.'),
});

/** What offers the recordings that an earlier page made. */
export const savedHere = (page: Page) => page.getByRole('heading', { name: /saved on this device/ });

/** A recording of a few seconds, from its start to its preview. */
export async function record(page: Page): Promise<void> {
  await startRecording(page);
  await recordFor(page, 2);
  await stopRecording(page);
}

/** Takes the permission for camera and microphone back from a page that runs them. */
export async function endCameraTracks(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const browser = await page.context().browser()?.newBrowserCDPSession();
  for (const name of ['camera', 'microphone']) {
    await browser?.send('Browser.setPermission', {
      permission: { name },
      setting: 'denied',
      origin: new URL(page.url()).origin,
      ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
    });
  }
  await browser?.detach();
}
