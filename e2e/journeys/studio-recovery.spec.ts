import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { startKillableBrowser } from '@/test/killable-browser';
import { decodableSeconds } from '@/test/media/inspect';
import { expect, test } from '../fixtures';
import { pauseCountdown, recordFor, savedHere, startRecording, stopRecording } from './recording-steps';
import { expectPlays } from './video-assertions';

declare global {
  interface Window {
    /** When the page's recorder was started, in milliseconds of Date.now(). */
    recordingSince: number;
  }
}

/** The bytes of the video that a page offers. Its policy lets a page not read it: the test puts the policy aside. */
async function bytesOf(page: Page, label: string): Promise<Buffer> {
  const dataUrl = await page.getByLabel(label).evaluate(async (video: HTMLVideoElement) => {
    const blob = await (await fetch(video.src)).blob();
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.readAsDataURL(blob);
    });
  });
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}

// Seconds into the recording. Before 2 s nothing is promised.
for (const [lane, killedAfter] of [
  [2.2, 5.1, 7.7],
  [3.4, 10.3],
].entries()) {
  test(`all but the last 2 s come back when the browser is killed (${lane + 1})`, async ({
    app,
    account,
    signIn,
  }, info) => {
    const executable = info.project.use.launchOptions?.executablePath;
    const profile = info.outputPath('profile');
    const open = async () => {
      const browser = await startKillableBrowser({ executable, profile });
      const page = await browser.context.newPage();
      await signIn(page, account);
      const session = await browser.context.newCDPSession(page);
      await session.send('Page.setBypassCSP', { enabled: true });
      await page.addInitScript(() => {
        const start = MediaRecorder.prototype.start;
        MediaRecorder.prototype.start = function (this: MediaRecorder, slice) {
          start.call(this, slice);
          window.recordingSince = Date.now();
        };
      });
      await page.goto(`${app.url}/upload`);
      return { browser, page };
    };
    let { browser, page } = await open();
    try {
      for (const after of killedAfter) {
        await startRecording(page);
        const since = await page.evaluate(() => window.recordingSince);
        await delay(since + after * 1000 - Date.now());
        const recorded = ((await browser.kill()) - since) / 1000;
        ({ browser, page } = await open());
        await expect(savedHere(page)).toBeVisible();
        const file = join(info.outputDir, `${after}`);
        await writeFile(file, await bytesOf(page, 'Recovered recording'));
        expect(recorded - (await decodableSeconds(file)), `seconds lost of ${recorded}`).toBeLessThanOrEqual(
          2,
        );
        await page.getByRole('button', { name: 'Discard' }).click();
        await expect(savedHere(page)).toHaveCount(0);
      }
    } finally {
      await browser.kill();
      await rm(profile, { recursive: true, force: true });
    }
  });
}

test('two tabs record at once, and both recordings are whole', async ({ page, context }) => {
  const other = await context.newPage();
  const tabs = [page, other];
  for (const tab of tabs) {
    // Only the tab in front draws.
    await tab.bringToFront();
    await tab.goto('/upload');
    await startRecording(tab);
  }
  // It opens in front.
  const third = await context.newPage();
  await pauseCountdown(third);
  await third.goto('/upload');
  await third.getByRole('button', { name: 'Start Recording' }).click();
  await third.getByRole('button', { name: 'Cancel' }).click();
  await expect(savedHere(third)).toHaveCount(0);
  for (const tab of tabs) {
    await tab.bringToFront();
    await recordFor(tab, 2);
    await stopRecording(tab);
    await expectPlays(tab.getByLabel('Recorded video'));
  }
  // What a tab still shows is its own; when it is gone, the others offer it, without being opened anew.
  await third.bringToFront();
  await third.reload();
  await expect(third.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  await expect(savedHere(third)).toHaveCount(0);
  for (const tab of tabs) await tab.close();
  await expect(third.getByRole('heading', { name: '2 recordings were saved on this device' })).toBeVisible();
  for (const number of [1, 2]) await expectPlays(third.getByLabel(`Recovered recording ${number}`));

  const discard = third.getByRole('button', { name: 'Discard' }).first();
  await discard.click();
  await expect(third.getByRole('heading', { name: 'A recording was saved on this device' })).toBeVisible();
  await third.getByRole('button', { name: 'Undo' }).click();
  await expect(third.getByRole('heading', { name: '2 recordings were saved on this device' })).toBeVisible();
  await discard.click();
  await third.reload();
  await expect(third.getByRole('heading', { name: 'A recording was saved on this device' })).toBeVisible();
  await expect(third.getByText(/\d+, 20\d\d, \d+:\d\d\s[AP]M · \d:\d\d/)).toBeVisible();
});
