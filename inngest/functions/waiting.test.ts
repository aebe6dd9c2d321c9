import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { previews } from '@/db/schema/previews';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { canRunJobs, isFfmpegGone } from '@/lib/video/processing/media-tool';
import { startJobFixture } from '@/test/job-fixture';
import { noAudioMp4 } from '@/test/media/clips';
import { completed, rowOf } from '@/test/upload-fixtures';
import { processVideo } from './entry';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;
const project = process.cwd();
const programs = process.env.PATH;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterEach(installFfmpeg);
afterAll(() => jobs.end());

/** Leaves neither a program nor a package to find. */
async function removeFfmpeg(): Promise<void> {
  process.chdir(await mkdtemp(path.join(tmpdir(), 'daylight-no-ffmpeg-')));
  process.env.PATH = '';
  expect(await isFfmpegGone()).toBe(true);
}

async function installFfmpeg(): Promise<void> {
  process.chdir(project);
  process.env.PATH = programs;
  expect(await canRunJobs()).toBe(true);
}

/** Lets the time pass after which a run counts as gone, and the sweep look, as often as is asked for. */
async function lookAgain(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await db().update(entryJobs).set({ beatAt: sql`now() - interval '5 minutes'` });
    await jobs.sweep();
    await deliverOutbox();
  }
}

it('waits without ffmpeg, in one run, and goes on once there is one', async () => {
  const upload = await completed(noAudioMp4);
  await removeFfmpeg();
  await deliverOutbox();
  expect(await jobs.endOf('process-video')).toMatchObject({ status: 'completed', steps: 1 });
  await lookAgain(4);
  expect(await jobs.countOf('process-video')).toBe(1);
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'uploaded', videoError: null });
  expect(await db().select().from(entryJobs)).toMatchObject([{ failures: 0, resends: 0, holder: null }]);

  await installFfmpeg();
  await lookAgain(1);
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
});

it('waits with a transcript, too', async () => {
  const upload = await completed(noAudioMp4);
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
  await db().execute(sql`update entries set transcript_status = 'processing' where id = ${upload.entryId}`);
  await removeFfmpeg();
  await startJobs(db(), 'transcript', [upload]);
  await deliverOutbox();
  expect(await jobs.endOf('transcribe')).toMatchObject({ status: 'completed', steps: 1 });
  await lookAgain(4);
  expect(await rowOf(upload)).toMatchObject({ transcriptStatus: 'processing', transcriptError: null });

  await installFfmpeg();
  await lookAgain(1);
  await jobs.endOf('transcribe');
  expect(await rowOf(upload)).toMatchObject({ transcriptStatus: 'no_speech' });
});

it('waits with previews, too', async () => {
  const upload = await completed(noAudioMp4);
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.endOf(name);
  const own = eq(previews.entryId, upload.entryId);
  const made = await db().select().from(previews).where(own);
  expect(made).toMatchObject([{ storyboard: { columns: expect.any(Number) }, waveform: '' }]);
  await db().delete(previews).where(own);
  await removeFfmpeg();
  await startJobs(db(), 'previews', [upload]);
  await deliverOutbox();
  expect(await jobs.endOf('finish-video')).toMatchObject({ status: 'completed', steps: 1 });
  const runs = await jobs.countOf('finish-video');
  await lookAgain(4);
  expect(await jobs.countOf('finish-video')).toBe(runs);

  await installFfmpeg();
  await lookAgain(1);
  await jobs.endOf('finish-video');
  expect(await db().select().from(previews).where(own)).toEqual(made);
});

it('makes a thumbnail, too, where only one of the workers has no ffmpeg', async () => {
  const upload = await completed(noAudioMp4);
  // This test runs it, step by step.
  await db().delete(outbox);
  const step = {
    async run(name: string, work: () => Promise<unknown>) {
      if (name === 'thumbnail') await removeFfmpeg();
      const outcome = await work();
      if (name === 'thumbnail') await installFfmpeg();
      return outcome;
    },
  };
  const run = processVideo({ createFunction: (_: unknown, handler: unknown) => handler } as never);
  const event = { data: { ...upload, generation: 1 } };
  await (run as unknown as (call: object) => Promise<unknown>)({ event, step, attempt: 0, runId: 'run' });
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'processing' });
  await lookAgain(1);
  await jobs.endOf('process-video');
  expect(await rowOf(upload)).toMatchObject({
    videoStatus: 'ready',
    thumbnailKey: expect.stringContaining('thumbnail'),
  });
});
