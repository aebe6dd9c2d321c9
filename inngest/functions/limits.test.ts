import { afterAll, beforeAll, expect, it } from 'vitest';
import { getEntry } from '@/lib/journal/entries/service';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { fetchEntryFile, withStepFolder } from '@/lib/video/processing/entry-files';
import { probeSource } from '@/lib/video/processing/video';
import { makeEntry, makeUser } from '@/test/factories';
import { startJobFixture } from '@/test/job-fixture';
import { h264Mp4 } from '@/test/media/clips';
import { completed, objectsOf } from '@/test/upload-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  Object.assign(process.env, { JOB_MAX_SECONDS: '2', JOB_MAX_BYTES: '5000000' });
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

async function uploaded(bytes: number) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'uploaded', videoKey: null, bytes });
  return { userId, entryId };
}

it('fails a video that’s longer than declared with a sentence, in one try, and keeps the upload', async () => {
  const upload = await completed(h264Mp4);
  await deliverOutbox();
  expect(await jobs.endOf('process-video')).toMatchObject({ status: 'completed', steps: 2 });
  const sentence = 'This video is too long. Videos can be up to 2 seconds.';
  expect(await getEntry(upload.userId, upload.entryId)).toMatchObject({
    status: 'failed',
    videoStatus: 'failed',
    videoError: sentence,
    transcription: { status: 'failed' },
  });
  expect(await objectsOf(upload)).toEqual(['source']);
});

it('downloads no file that’s too large', async () => {
  jobs.proxy.requests.splice(0);
  await expect(probeSource(await uploaded(5_000_001))).rejects.toMatchObject({
    kind: 'too_large',
    message: 'This file is too large. Videos can be up to 5 MB.',
  });
  expect(jobs.proxy.requests).toEqual([]);
});

it('downloads nothing that the temporary folder has no space for', async () => {
  jobs.proxy.requests.splice(0);
  const entry = await uploaded(1e15);
  const work = withStepFolder(entry.entryId, (folder) => fetchEntryFile(entry, 'source', folder));
  await expect(work).rejects.toMatchObject({ kind: 'disk_full' });
  expect(jobs.proxy.requests).toEqual([]);
});
