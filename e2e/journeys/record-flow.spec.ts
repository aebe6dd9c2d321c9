import { expect, test } from '@/e2e/fixtures';
import { listEntries } from '@/lib/journal/entries/contract';
import { startRecording } from './recording-steps';
import { PRESIGNED_URL } from './upload-steps';
import { expectPlays, expectThumbnail } from './video-assertions';

declare global {
  interface Window {
    /** What the page was given by the camera. */
    cameraStreams: MediaStream[];
  }
}

test('somebody records a day with the camera', async ({ page, api }) => {
  await page.addInitScript(() => {
    window.cameraStreams = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      window.cameraStreams.push(stream);
      return stream;
    };
  });
  const title = 'A recorded day';

  await test.step('record', async () => {
    await page.goto('/upload');
    await startRecording(page);
    const live = page.getByLabel('Live preview');
    await expect(live).toBeVisible();
    expect(await live.evaluate((element: HTMLVideoElement) => element.muted)).toBe(true);
    await expect
      .poll(() => live.evaluate((element: HTMLVideoElement) => element.currentTime), { timeout: 30_000 })
      .toBeGreaterThan(4);
    await page.getByRole('button', { name: 'Stop Recording' }).click();
  });

  await test.step('look at it', async () => {
    const preview = page.getByLabel('Recorded video');
    await expect(preview).toBeVisible();
    expect(
      await preview.evaluate((element: HTMLVideoElement) => [element.muted, element.volume]),
      'the preview has its sound',
    ).toEqual([false, 1]);
    const tracks = await page.evaluate(() =>
      window.cameraStreams.flatMap((stream) => stream.getTracks().map(({ readyState }) => readyState)),
    );
    expect(tracks.length).toBeGreaterThanOrEqual(2);
    expect(new Set(tracks)).toEqual(new Set(['ended']));
    await expectPlays(preview);
  });

  await test.step('upload it', async () => {
    await page.getByLabel('Title').fill(title);
    const asked = page.waitForRequest(PRESIGNED_URL);
    await page.getByRole('button', { name: 'Upload Video' }).click();
    expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({
      file_name: 'browser_uploaded.mp4',
      content_type: 'video/mp4',
    });
    await page.waitForURL('/journals');
    await expectThumbnail(page, title);
  });

  await test.step('and watch it', async () => {
    await page.getByRole('link', { name: title }).click();
    const video = page.locator('video');
    await expectPlays(video);
    expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(3);
    expect(await api.call(listEntries)).toHaveLength(1);
  });
});
