import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { admitVideo } from '@/lib/billing/plans/held-videos';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { getEntry, mediaAddress } from '@/lib/journal/entries/service';
import { MediaError } from '@/lib/video/media/errors';
import { failVideo, VIDEO_FAILED } from '@/lib/video/processing/video';
import { makeEntry } from '@/test/factories';
import { h264Mp4, indexLastMp4, rotatedMp4, vp8Webm } from '@/test/media/clips';
import { startLocalServices } from '@/test/services';
import { completed, expire, objectsOf, reserve, rowOf } from '@/test/upload-fixtures';
import { markUploaded } from './complete';
import { checkExpiredUploadUrls } from './expired-upload-urls';
import { readPlayableUpload } from './playable-upload';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const PLAN_MS = PLAN_LIMITS.Free.seconds * 1000;
const SIZE = { bytes: 1, width: 320, height: 180 };

describe('an upload that browsers play', () => {
  it('plays as soon as it’s complete, before its job has run', async () => {
    const upload = await reserve();
    const { userId, entryId } = upload;
    await upload.send(await h264Mp4());
    const calls = Array.from({ length: 3 }, () => markUploaded(userId, entryId));
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe('completed');
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'uploaded', width: 320, height: 180 });
    expect(await getEntry(userId, entryId)).toMatchObject({ status: 'completed', videoStatus: 'uploaded' });
    const played = await fetch((await mediaAddress(userId, entryId, 'video')).url);
    expect(played.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await played.arrayBuffer()).equals(await readFile(await h264Mp4()))).toBe(true);
  });

  it('waits for its job if the plan may not have enough time for it', async () => {
    const upload = await reserve();
    await upload.send(await h264Mp4());
    await makeEntry(upload.userId, { durationMs: PLAN_MS - 3000 });
    expect((await markUploaded(upload.userId, upload.entryId)).status).toBe('processing');
    expect(await rowOf(upload)).toMatchObject({ videoKey: null, durationMs: null });
  });

  it('is held if it’s longer than its index says, and doesn’t play any more', async () => {
    const upload = await completed(h264Mp4);
    await makeEntry(upload.userId, { durationMs: PLAN_MS - 60_000 });
    expect(await admitVideo(upload, { ...SIZE, durationMs: 61_000 })).toBe('held');
    expect(await rowOf(upload)).toMatchObject({ heldByPlan: true, videoKey: null, durationMs: 61_000 });
  });

  it('stays admitted if its index is right, whatever was admitted since', async () => {
    const upload = await completed(h264Mp4);
    await makeEntry(upload.userId, { durationMs: PLAN_MS });
    const { durationMs } = (await rowOf(upload)) ?? {};
    expect(await admitVideo(upload, { ...SIZE, durationMs: (durationMs ?? 0) + 900 })).toBe('admitted');
  });

  it('doesn’t play any more if the file turns out to be at fault, and does if we are', async () => {
    const [ours, its] = [await completed(h264Mp4), await completed(h264Mp4)];
    await failVideo(ours, VIDEO_FAILED);
    await failVideo(its, new MediaError('unreadable').message);
    expect(await rowOf(ours)).toMatchObject({ videoStatus: 'failed', videoKey: expect.any(String) });
    expect(await rowOf(its)).toMatchObject({ videoStatus: 'failed', videoKey: null });
  });

  it('doesn’t play any more once it was replaced before its job ran', async () => {
    const upload = await completed(h264Mp4);
    await upload.send(await rotatedMp4());
    await expire(upload);
    await checkExpiredUploadUrls();
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'failed', videoKey: null });
    expect(await objectsOf(upload)).toEqual([]);
  });
});

it.each([
  ['that has to be encoded', vp8Webm],
  ['whose index comes last', indexLastMp4],
])('waits for the job of a video %s', async (_, clip) => {
  const upload = await reserve();
  await upload.send(await clip());
  expect((await markUploaded(upload.userId, upload.entryId)).status).toBe('processing');
  await db().delete(entries).where(eq(entries.id, upload.entryId));
});

it('reads nothing from an object that’s gone or another one', async () => {
  expect(await readPlayableUpload({ key: 'entries/none', etag: '0' }, 1000)).toBeNull();
});
