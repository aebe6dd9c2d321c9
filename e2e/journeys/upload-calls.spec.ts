import { fileURLToPath } from 'node:url';
import { planDetails } from '@/lib/billing/plans/contract';
import { PART_BYTES } from '@/lib/video/uploads/contract';
import { h264Mp4 } from '@/test/media/clips';
import { userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { record, startRecording, stopRecording } from './recording-steps';
import {
  expectSingleEntry,
  expectStored,
  largeVideo,
  MEGABYTE,
  PRESIGNED_URL,
  recordUploadCalls,
  startUpload,
} from './upload-steps';

test('a file of one part goes to the address that was presigned', async ({ app, page, account, sql }) => {
  const calls = recordUploadCalls(page, app);
  const asked = page.waitForRequest(PRESIGNED_URL);
  const path = await h264Mp4();
  await startUpload(page, path, 'In one piece');
  expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
    title: 'In one piece',
    journal_date: '2026-01-31',
    file_name: 'h264.mp4',
    content_type: 'video/mp4',
    size: expect.stringMatching(/^\d+$/),
    duration: expect.stringMatching(/^[\d.]+$/),
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    md5: expect.stringMatching(/^.{22}==$/),
  });
  await page.waitForURL('/journals');
  expect(calls).toEqual(['GET presigned_url', 'POST file', 'GET upload/complete']);
  const id = await expectSingleEntry(account.api, 'In one piece');
  await expectStored(app, await userIdOf(sql, account.email), id, path);
});

test('a larger file goes in parts on the entry that was reserved', async ({ app, page, account, sql }) => {
  const calls = recordUploadCalls(page, app);
  const video = await largeVideo(10 * MEGABYTE);
  await startUpload(page, video.path, 'In two parts');
  await page.waitForURL('/journals');
  expect(calls).toEqual([
    'GET presigned_url',
    'GET upload',
    'POST upload/parts',
    'PUT part 1',
    'POST upload/parts',
    'PUT part 2',
    'GET upload/complete',
  ]);
  const id = await expectSingleEntry(account.api, 'In two parts');
  await expectStored(app, await userIdOf(sql, account.email), id, video.path);
});

test('a short recording goes to the address that was presigned', async ({ app, page, api }) => {
  const calls = recordUploadCalls(page, app);
  await page.goto('/upload');
  await record(page);
  await page.getByLabel('Title').fill('A word');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.waitForURL('/journals');
  // The last one confirms that the copy on the device may go.
  expect(calls).toEqual(['GET presigned_url', 'POST file', 'GET upload/complete', 'GET upload']);
  await expectSingleEntry(api, 'A word');
});

test('a recording whose parts are on their way is titled, once', async ({ app, page, api }) => {
  await page.addInitScript({ path: fileURLToPath(new URL('noisy-camera.js', import.meta.url)) });
  const calls = recordUploadCalls(page, app);
  await page.goto('/upload');
  await startRecording(page);
  await expect.poll(() => calls, { timeout: 60_000 }).toContain('PUT part 1');
  await stopRecording(page);
  expect(calls.slice(0, 3)).toEqual(['POST uploads', 'GET upload', 'POST upload/parts']);
  await page.getByLabel('Title').fill('Meanwhile');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.waitForURL('/journals');
  await expectSingleEntry(api, 'Meanwhile');
  const { storageUse } = await api.call(planDetails);
  const parts = Array.from({ length: Math.ceil(storageUse / PART_BYTES) }, (_, at) => `PUT part ${at + 1}`);
  expect(calls.filter((call) => call.startsWith('PUT')).toSorted()).toEqual(parts.toSorted());
  for (const call of ['POST uploads', 'GET presigned_url', 'GET upload/complete']) {
    expect(calls.filter((made) => made === call)).toEqual([call]);
  }
  expect(calls).not.toContain('POST file');
});
