import { listEntries } from '@/lib/journal/entries/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectReachable } from './input-steps';
import {
  button,
  confirmReload,
  pauseCountdown,
  recordFor,
  startRecording,
  stopRecording,
} from './recording-steps';

test('records by the keyboard alone, with a countdown, a pause and a resume', async ({ page }) => {
  await pauseCountdown(page);
  await page.goto('/upload');
  await button(page, 'Start Recording').focus();
  await page.keyboard.press('Enter');
  // The pressed button is gone: the keyboard's place is on what came instead of it.
  await expect(button(page, 'Skip countdown')).toBeFocused();
  await expect(page.getByRole('status').getByText(/Recording starts in [123]/)).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Pause')).toBeFocused();
  await recordFor(page, 1);
  await page.keyboard.press('Enter');
  await expect(button(page, 'Resume')).toBeFocused();
  await expect(page.getByText('Paused')).toBeVisible();
  await page.keyboard.press('Enter');
  await recordFor(page, 1);
  await page.keyboard.press('Tab');
  await expect(button(page, 'Stop Recording')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Recorded video')).toBeVisible();
  await expect(button(page, 'Upload Video')).toBeFocused();
});

test('a countdown runs to its end, can be canceled, and can be turned off permanently', async ({ page }) => {
  const resumeCountdown = await pauseCountdown(page);
  await page.goto('/upload');
  await button(page, 'Start Recording').click();
  await expect(button(page, 'Skip countdown')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Start Recording')).toBeVisible();
  await expect(page.getByLabel('Live preview')).toHaveCount(0);

  await resumeCountdown();
  await button(page, 'Start Recording').click();
  await expect(button(page, 'Stop Recording')).toBeVisible();
  await recordFor(page, 1);
  await stopRecording(page);

  await confirmReload(page);
  await button(page, 'Camera & microphone').click();
  await page.getByLabel('Count down from three').uncheck();
  await page.reload();
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.body.textContent?.includes('Skip countdown')) document.title = 'It counts';
    }).observe(document.body, { subtree: true, childList: true });
  });
  await button(page, 'Start Recording').click();
  await expect(button(page, 'Stop Recording')).toBeVisible();
  await expect(page).not.toHaveTitle('It counts');
});

test('prompts change at a press, and can be hidden', async ({ page }) => {
  await page.goto('/upload');
  const prompt = page.getByRole('main').getByText(/^\D+\?$/);
  const first = await prompt.textContent();
  await button(page, 'Another question').click();
  await expect(prompt).not.toHaveText(first ?? '');
  // One question a day: another one is only for now.
  await page.reload();
  await expect(prompt).toHaveText(first ?? '');
  await button(page, 'No question').click();
  await expect(prompt).toHaveCount(0);
  await page.reload();
  await expect(button(page, 'Show a question')).toBeVisible();
  await expect(prompt).toHaveCount(0);
  await button(page, 'Show a question').click();
  await expect(prompt).toBeVisible();
  await page.reload();
  await expect(prompt).toHaveText(first ?? '');
});

test('goes on when the device is full, and offers to stop and upload', async ({ page, app, api }) => {
  await page.goto('/upload');
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: app.url, quotaSize: 1_000_000 });
  await startRecording(page);
  await expect(
    page.getByText('This device is full, so we can’t back up the rest of your recording.'),
  ).toBeVisible();
  await recordFor(page, 2);
  await button(page, 'Stop and upload').click();
  await expect(page.getByLabel('Recorded video')).toBeVisible();
  await page.waitForURL('/journals');
  // Nobody named it.
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^\w+day (morning|afternoon|evening|night)$/),
  ]);
});

test('warns before a recording when little space is left for its local copy', async ({ page }) => {
  // Chromium's own estimate is the same number whatever there is; Safari and Firefox tell.
  await page.addInitScript(() => {
    navigator.storage.estimate = async () => ({ quota: 100_000_000, usage: 10_000_000 });
  });
  await page.goto('/upload');
  await startRecording(page);
  await expect(page.getByText('This device has space to back up about 4 minutes.')).toBeVisible();
  await recordFor(page, 1);
  await stopRecording(page);
});

test('shows the plan’s last minutes, and says when they end', async ({ page, account, sql }) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  await sql`update entries set duration_ms = ${(10_800 - 32) * 1000} where id = ${id}`;
  await page.goto('/upload');
  await startRecording(page);
  await expect(page.getByText('0:31 left')).toBeVisible();
  await expect(page.getByText('You have less than 30 seconds left on your plan.')).toBeAttached();
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });

  test('turns to the other camera before recording, also during the countdown', async ({ page }) => {
    // A camera that is asked for again while it opens counts once.
    const wanted: unknown[] = [];
    await page.exposeFunction('wanted', (facing: unknown) => {
      if (wanted.at(-1) !== facing) wanted.push(facing);
    });
    await page.addInitScript(() => {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = (constraints) => {
        const { facingMode } = (constraints as { video: MediaTrackConstraints }).video;
        Reflect.get(window, 'wanted')(facingMode);
        return open(constraints);
      };
    });
    await pauseCountdown(page);
    await page.goto('/upload');
    await button(page, 'Camera & microphone').click();
    await button(page, 'Switch camera').click();
    await expect.poll(() => wanted).toEqual(['user', 'environment']);
    await button(page, 'Start Recording').click();
    await expect(button(page, 'Skip countdown')).toBeVisible();
    for (const name of ['Skip countdown', 'Cancel', 'Switch camera'])
      await expectReachable(button(page, name));
    await button(page, 'Switch camera').click();
    await expect.poll(() => wanted).toEqual(['user', 'environment', 'user']);
    await button(page, 'Skip countdown').click();
    await recordFor(page, 1);
    await expect(button(page, 'Switch camera')).toHaveCount(0);
    await stopRecording(page);
  });
});
