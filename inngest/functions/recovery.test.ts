import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs, processReports } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { bucket, s3 } from '@/lib/clients/storage';
import { deleteObject } from '@/lib/clients/storage-objects';
import { entryKey, entryPrefix } from '@/lib/journal/entries/keys';
import { retryVideo } from '@/lib/journal/entries/retry-video';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import { getTranscription } from '@/lib/journal/transcripts/service';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { type JobKind, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { jobSettings } from '@/lib/operations/health/jobs';
import { secondsSinceEventRun, secondsSinceJobRun } from '@/lib/video/processing/process-reports';
import { resumeGoneJobs } from '@/lib/video/processing/watchdog';
import { waitUntil } from '@/local/inngest/test-runner';
import { codeOf } from '@/test/error-code';
import { startJobFixture } from '@/test/job-fixture';
import { noAudioMp4 } from '@/test/media/clips';
import { store } from '@/test/stored-entries';
import { publishTranscript } from '@/test/transcript-fixtures';
import { completed, objectsOf, rowOf, type Upload } from '@/test/upload-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

async function processed(): Promise<Upload> {
  const upload = await completed(noAudioMp4);
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
  return upload;
}

/** Lets time pass since any job was heard from: those of other tests count toward the limits. */
const age = () => db().update(entryJobs).set({ beatAt: sql`now() - interval '5 minutes'` });

async function start(kind: JobKind, upload: Upload) {
  await startJobs(db(), kind, [upload]);
  await deliverOutbox();
}

/** Returns when each object of an entry was stored. */
async function versionsOf({ userId, entryId }: Upload) {
  const prefix = entryPrefix(userId, entryId);
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix }));
  return Contents.map(({ Key, LastModified }) => [Key, LastModified?.getTime()]);
}

it('goes on after storage was away for more attempts than other failures get', async () => {
  const repair = jobs.proxy.failUploads('/thumbnail.jpg');
  const upload = await completed(noAudioMp4);
  await deliverOutbox();
  // A step sends a file three times in each attempt.
  await jobs.hurry(waitUntil('7 attempts', () => repair.count() >= 21, 150_000));
  repair();
  expect(await jobs.hurry(jobs.endOf('process-video'))).toMatchObject({ status: 'completed' });
  await jobs.endOf('transcribe');
  await jobs.endOf('finish-video');
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
});

it('deletes the sound of a transcript that was ready when storage went away', async () => {
  const upload = await completed(noAudioMp4);
  await store(entryKey(upload.userId, upload.entryId, 'speech-0.mp3'));
  // The request that lists what's to be deleted, three times in each attempt.
  const repair = jobs.proxy.refuse(/^GET \/[^/]+\/?$/, 503, '', 6);
  await deliverOutbox();
  expect(await jobs.hurry(jobs.endOf('transcribe'))).toMatchObject({ status: 'completed' });
  repair();
  await jobs.endOf('process-video');
  await jobs.endOf('finish-video');
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
  expect(await objectsOf(upload)).not.toContain('speech-0.mp3');
});

it('goes on after an outage that used up all attempts', async () => {
  const repair = jobs.proxy.failUploads('/thumbnail.jpg');
  const upload = await completed(noAudioMp4);
  await deliverOutbox();
  expect(await jobs.hurry(jobs.endOf('process-video'))).toMatchObject({ status: 'failed' });
  await jobs.endOf('transcribe');
  repair();
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'processing', videoError: null });
  await age();
  await jobs.sweep();
  await deliverOutbox();
  for (const name of ['process-video', 'finish-video']) await jobs.endOf(name);
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
});

it('goes on when the job service has lost the event', async () => {
  const upload = await completed(noAudioMp4);
  await db().delete(outbox);
  await age();
  await jobs.sweep();
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
});

it('proves with each sweep that jobs run, and with few of them that events start runs', async () => {
  await db().delete(processReports);
  const before = await jobs.countOf('health-ping');
  await jobs.sweep();
  await waitUntil('a run', async () => (await secondsSinceEventRun(jobSettings())) !== null);
  await db().update(processReports).set({ reportedAt: sql`now() - interval '4 minutes'` });
  await jobs.sweep();
  expect(await secondsSinceJobRun()).toBeLessThan(200);
  expect((await jobs.countOf('health-ping')) - before).toBe(1);
});

describe('a run that is repeated', () => {
  it('leaves a finished video as it is', async () => {
    const upload = await processed();
    const [row, versions] = [await rowOf(upload), await versionsOf(upload)];
    await start('video', upload);
    expect(await jobs.endOf('process-video')).toMatchObject({ status: 'completed' });
    expect(await rowOf(upload)).toEqual(row);
    expect(await versionsOf(upload)).toEqual(versions);
  });

  it('leaves a finished video as it is, even if its source is gone', async () => {
    const upload = await processed();
    const row = await rowOf(upload);
    await deleteObject(entryKey(upload.userId, upload.entryId, 'source'));
    await start('video', upload);
    await jobs.endOf('process-video');
    expect(await rowOf(upload)).toEqual(row);
  });

  it('leaves a person’s corrections, and the words they are based on', async () => {
    const upload = await processed();
    const { userId, entryId } = upload;
    const words = { words: [['hear', 0, 1]] as [string, number, number][] };
    await publishTranscript(upload, { ...words, language: 'en', estimated: false, engine: null });
    await saveTranscription(userId, entryId, [{ word: 'here', startTime: 0, endTime: 1 }]);
    const before = await getTranscription(userId, entryId);
    await start('transcript', upload);
    expect(await jobs.endOf('transcribe')).toMatchObject({ status: 'completed' });
    expect(await getTranscription(userId, entryId)).toEqual(before);
    expect(before).toMatchObject({ revision: 1, words: [{ word: 'here' }] });
  });
});

describe('trying a failed video again', () => {
  async function failed() {
    const repair = jobs.proxy.failUploads('/video.mp4', 416);
    const upload = await completed(noAudioMp4);
    await deliverOutbox();
    await jobs.hurry(jobs.endOf('process-video'));
    await waitUntil('the failure', async () => (await rowOf(upload))?.videoStatus === 'failed');
    await jobs.endOf('transcribe');
    repair();
    return upload;
  }

  it('processes it', async () => {
    const upload = await failed();
    const { userId, entryId } = upload;
    expect(await retryVideo(userId, entryId)).toMatchObject({ videoStatus: 'processing', videoError: null });
    expect(await codeOf(retryVideo(userId, entryId)), 'while it runs').toBe('conflict');
    await deliverOutbox();
    expect(await jobs.endOf('process-video')).toMatchObject({ status: 'completed' });
    await jobs.endOf('finish-video');
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
    expect(await codeOf(retryVideo(userId, entryId)), 'once it is ready').toBe('conflict');
  });

  it('starts its transcript over too, once, if both runs were lost', async () => {
    const upload = await completed(noAudioMp4);
    await startJobs(db(), 'transcript', [upload]);
    await db().delete(outbox);
    await db().update(entryJobs).set({ resends: 3 }).where(eq(entryJobs.entryId, upload.entryId));
    await age();
    await resumeGoneJobs();
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'failed', transcriptStatus: 'failed' });
    await age();
    await retryVideo(upload.userId, upload.entryId);
    await resumeGoneJobs();
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'processing', transcriptStatus: 'processing' });
    const before = await jobs.countOf('transcribe');
    await deliverOutbox();
    for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
    expect((await jobs.countOf('transcribe')) - before).toBe(1);
  });

  it('is refused when the upload is gone', async () => {
    const upload = await failed();
    await deleteObject(entryKey(upload.userId, upload.entryId, 'source'));
    await expect(retryVideo(upload.userId, upload.entryId)).rejects.toMatchObject({
      code: 'conflict',
      message: 'We no longer have this video. Upload it again.',
    });
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'failed' });
  });
});
