import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { getEntry } from '@/lib/journal/entries/service';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { previewsOf } from '@/lib/video/previews/service';
import { startJobFixture } from '@/test/job-fixture';
import { h264Mp4, noAudioMp4 } from '@/test/media/clips';
import { runProgram } from '@/test/outdated-videos';
import { completed, objectsOf, rowOf } from '@/test/upload-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

/** How often it's asked whether the transcript has failed, and for how long, in milliseconds. */
const POLL = { interval: 50, timeout: 60_000 };

const idle = () => Promise.reject(new Error('It shouldn’t have waited.'));

it('makes a video again with its sound and previews, and transcribes it', async () => {
  const upload = await completed(noAudioMp4);
  const { userId, entryId } = upload;
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
  // An earlier version published it without the sound that its upload has.
  await uploadObject(await h264Mp4(), entryKey(userId, entryId, 'source'), 'video/mp4');
  const old = { sourceEtag: null, videoRevision: null, videoVersion: null };
  await db().update(entries).set(old).where(eq(entries.id, entryId));
  const before = await getEntry(userId, entryId);
  expect(before.transcription.status).toBe('no_speech');

  expect(await runProgram(['--repair'], idle)).toEqual([
    0,
    expect.stringContaining(`${entryId} again (sound)`),
  ]);
  for (const name of ['process-video', 'finish-video']) {
    expect(await jobs.endOf(name)).toMatchObject({ status: 'completed' });
  }
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', videoRevision: 1 });
  expect((await getEntry(userId, entryId)).videoUrl).not.toBe(before.videoUrl);
  expect((await previewsOf(userId, entryId)).waveform).toMatch(/^\w/);
  expect(await objectsOf(upload)).toEqual(expect.arrayContaining(['storyboard.jpg', 'thumbnail.jpg']));
  // There's no speech service, which shows that it was asked.
  await jobs.hurry(expect.poll(async () => (await rowOf(upload))?.transcriptStatus, POLL).toBe('failed'));
  expect(await runProgram(['--repair'], idle)).toEqual([0, expect.stringContaining('Checked 0 videos')]);
});
