import { rm } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type KillableBrowser, startKillableBrowser } from '@/test/killable-browser';
import { test as base, expect } from '../fixtures';
import {
  button,
  endCameraTracks,
  pauseCountdown,
  recordFor,
  startRecording,
  stopRecording,
} from './recording-steps';
import { expectPlays } from './video-assertions';

interface StudioFixture {
  /** Opens the studio in a browser of its own, which ends with the test. */
  openStudio(camera?: 'denied' | 'missing'): Promise<{ browser: KillableBrowser; page: Page }>;
}

const test = base.extend<StudioFixture>({
  openStudio: async ({ app, account, signIn }, use, info) => {
    const executable = info.project.use.launchOptions?.executablePath;
    const profile = info.outputPath('profile');
    let opened: KillableBrowser | undefined;
    await use(async (camera) => {
      const browser = await startKillableBrowser({ executable, profile, ...(camera && { camera }) });
      opened = browser;
      const page = await browser.context.newPage();
      await signIn(page, account);
      await page.goto(`${app.url}/upload`);
      return { browser, page };
    });
    await opened?.kill();
    await rm(profile, { recursive: true, force: true });
  },
});

const alert = (page: Page) => page.getByRole('main').getByRole('alert');

test('says that a camera is in use elsewhere', async ({ page }) => {
  // Chromium's own camera can be opened by everybody at once, so the answer is given in its place.
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('busy', 'NotReadableError'));
  });
  await page.goto('/upload');
  await button(page, 'Start Recording').click();
  await expect(alert(page)).toContainText('Another app is using your camera or microphone');
  await expect(button(page, 'Start Recording')).toBeEnabled();
});

test('offers to cancel a camera that never responds, and ignores its late response', async ({ page }) => {
  await page.addInitScript(() => {
    const media = navigator.mediaDevices;
    const open = media.getUserMedia.bind(media);
    media.getUserMedia = async (constraints) => {
      if (!Reflect.has(window, 'answer')) {
        await new Promise<void>((answer) => Object.assign(window, { answer }));
        const stream = await open(constraints);
        Object.assign(window, { late: stream });
        return stream;
      }
      return open(constraints);
    };
  });
  await pauseCountdown(page);
  await page.goto('/upload');
  await button(page, 'Start Recording').click();
  await expect(page.getByRole('status').getByText('The camera isn’t responding yet.')).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(button(page, 'Start Recording')).toBeEnabled();
  await expect(page.getByText('The camera isn’t responding yet.')).toHaveCount(0);

  await button(page, 'Start Recording').click();
  await expect(button(page, 'Skip countdown')).toBeVisible();
  // The first camera is switched off as soon as it has come, and only that one.
  await page.evaluate(() => Reflect.get(window, 'answer')());
  const isLate = () => page.evaluate(() => (Reflect.get(window, 'late') as MediaStream | undefined)?.active);
  await expect.poll(isLate).toBe(false);
  await button(page, 'Skip countdown').click();
  await recordFor(page, 1);
  await stopRecording(page);
});

test('stops and keeps everything when the permission is taken back', async ({ page }) => {
  await page.goto('/upload');
  await startRecording(page);
  await recordFor(page, 2);
  await endCameraTracks(page);
  await expect(alert(page)).toContainText('so recording stopped');
  await expectPlays(page.getByLabel('Recorded video'));
});

for (const [service, sentence] of [
  ['video_capture.mojom.VideoCaptureService', 'Your camera was unplugged or turned off'],
  ['audio.mojom.AudioService', 'Your microphone was unplugged or turned off'],
] as const) {
  test(`stops and keeps everything when a device goes: ${service}`, async ({ openStudio }) => {
    const { browser, page } = await openStudio();
    await startRecording(page);
    await recordFor(page, 2);
    // Chromium serves devices from a process of their own: its end is to the page what a pulled plug is. An event
    // that the test fired itself would not end the track.
    expect(browser.killPart(service)).toBe(1);
    await expect(alert(page)).toContainText(sentence);
    const video = page.getByLabel('Recorded video');
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
      .toBeGreaterThan(1);
    await expect(button(page, 'Start New Recording')).toBeVisible();
  });
}

test('says what to do when the camera and the microphone are denied', async ({ openStudio }) => {
  const { page } = await openStudio('denied');
  await button(page, 'Start Recording').click();
  await expect(alert(page)).toContainText(
    'Your browser didn’t allow the camera. You can record your voice without it. To use it, select the icon to the left of the address and turn on Camera and Microphone.',
  );
  await expect(button(page, 'Start Recording')).toBeEnabled();
  await button(page, 'Record without camera').click();
  const sentence =
    'The microphone is blocked. Select the icon to the left of the address and turn on Camera and Microphone, then select Start Recording again.';
  await expect(alert(page)).toContainText(sentence);
  await expect(button(page, 'Record without camera')).toHaveCount(0);
  await button(page, 'Camera & microphone').click();
  await expect(alert(page).last()).toContainText(sentence);
});

test('offers to record without a camera where there’s none', async ({ openStudio }) => {
  const { page } = await openStudio('missing');
  await button(page, 'Start Recording').click();
  await expect(alert(page)).toHaveText('We couldn’t find a camera. You can record your voice without one.');
  await expect(button(page, 'Start Recording')).toBeEnabled();
  await button(page, 'Camera & microphone').click();
  await expect(alert(page).last()).toContainText('We couldn’t find a camera and microphone.');
  await button(page, 'Record without camera').click();
  await button(page, 'Skip countdown').click();
  await recordFor(page, 2);
  // A camera that still isn't there leaves the recording alone.
  await button(page, 'Turn camera on').click();
  await expect(page.getByText('The camera didn’t turn on. You’re still recording without it.')).toBeVisible();
  await stopRecording(page);
  await expectPlays(page.getByLabel('Recorded video'));
});

test('says when a browser records nothing, though it says that it does', async ({ page }) => {
  await page.addInitScript(() => {
    const start = MediaRecorder.prototype.start;
    // Without slices, the data arrives when the recording ends.
    MediaRecorder.prototype.start = function (this: MediaRecorder) {
      start.call(this);
    };
  });
  await page.goto('/upload');
  await startRecording(page);
  await expect(page.getByText('This browser can’t record video.')).toBeVisible();
  await stopRecording(page);
});
