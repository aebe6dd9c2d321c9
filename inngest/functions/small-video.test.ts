import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { previews } from '@/db/schema/previews';
import { usageOf } from '@/lib/billing/plans/service';
import { getEntry } from '@/lib/journal/entries/service';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { findGoneJobs } from '@/lib/video/processing/watchdog';
import { startJobFixture } from '@/test/job-fixture';
import { noisyMp4 } from '@/test/media/clips';
import { completed, objectsOf, rowOf, type Upload } from '@/test/upload-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

/** Uploads a video that needs a small version. @returns how the job of its previews has ended, too */
async function processed(): Promise<Upload & { status: string | undefined }> {
  const upload = await completed(noisyMp4);
  await deliverOutbox();
  await jobs.endOf('process-video');
  await jobs.endOf('transcribe');
  const { status } = await jobs.hurry(jobs.endOf('finish-video'));
  return { ...upload, status };
}

const OTHERS = ['source', 'storyboard.jpg', 'thumbnail.jpg', 'video.mp4'];

it('a video whose small version can’t be made is complete without it', async () => {
  const repair = jobs.proxy.failUploads('/small.mp4', 416);
  const upload = await processed();
  repair();
  expect(upload.status).toBe('completed');
  expect(await getEntry(upload.userId, upload.entryId)).toMatchObject({
    videoStatus: 'ready',
    smallVideoUrl: '',
  });
  const [made] = await db().select().from(previews).where(eq(previews.entryId, upload.entryId));
  expect(made).toMatchObject({ storyboard: { count: expect.any(Number) }, waveform: '' });
  // Storage took it, and seemed to fail. The comparison with the database deletes it.
  expect(await objectsOf(upload)).toEqual(['small.mp4', ...OTHERS]);
  await expect.poll(jobs.files).toEqual([]);
  expect(await findGoneJobs(0)).toEqual([]);
});

it('a large video gets a small version, which takes none of its owner’s space and is deleted with it', async () => {
  const upload = await processed();
  const { userId, entryId } = upload;
  expect(await getEntry(userId, entryId)).toMatchObject({
    videoStatus: 'ready',
    smallVideoUrl: expect.stringContaining('/video/small?v='),
  });
  expect(await objectsOf(upload)).toEqual(['small.mp4', ...OTHERS]);
  await expect.poll(jobs.files).toEqual([]);
  expect((await usageOf(db(), userId)).bytes).toBe((await rowOf(upload))?.bytes);

  await removeEntry(userId, entryId);
  await purgeEntry(userId, entryId);
  await jobs.sweep();
  expect(await objectsOf(upload)).toEqual([]);
});
