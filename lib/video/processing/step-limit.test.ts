import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { getEntry } from '@/lib/journal/entries/service';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { probe } from '@/lib/video/media/probe';
import { makeEntry, makeUser } from '@/test/factories';
import { ffmpegProcesses, pauseFfmpeg } from '@/test/ffmpeg-processes';
import { vp9Webm } from '@/test/media/clips';
import { startLocalServices } from '@/test/services';
import { removeCachedCopies } from './entry-files';
import { ffmpegTool } from './media-tool';
import { publishRemux } from './remux';
import { runEntryStep } from './step';
import { failVideo, publishVideo } from './video';
import { assertFitsStep } from './video-time';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
  process.env.JOB_STEP_SECONDS = '3';
});
afterAll(() => services.end());

it('doesn’t wait for an earlier attempt beyond the limit of a step', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'processing' });
  await startJobs(db(), 'video', [{ userId, entryId }]);
  const elsewhere = '00000000-1-1/run/x';
  await db().update(entryJobs).set({ holder: elsewhere }).where(eq(entryJobs.entryId, entryId));
  const run = { userId, entryId, kind: 'video' as const, generation: 1, runId: 'run', attempt: 1 };
  await expect(runEntryStep(run, async () => 'done')).rejects.toThrow('has not stopped');
  const [row] = await db().select().from(entryJobs).where(eq(entryJobs.entryId, entryId));
  expect(row).toMatchObject({ holder: elsewhere, successor: null, failures: 0 });
});

it.runIf(process.platform === 'linux')(
  'ends ffmpeg at the limit of a step, and the entry still plays its first copy',
  async () => {
    const { id: userId } = await makeUser();
    const values = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'completed' } as const;
    const { id: entryId } = await makeEntry(userId, values);
    const entry = { userId, entryId };
    const file = await vp9Webm();
    await uploadObject(file, entryKey(userId, entryId, 'source'), 'video/webm');
    const source = await probe(await ffmpegTool(), file);
    await publishRemux(entry, source);
    await startJobs(db(), 'video', [entry]);
    const run = { ...entry, kind: 'video' as const, generation: 1, runId: 'run', attempt: 0 };

    const step = runEntryStep(run, (one) => publishVideo(one, source));
    await pauseFfmpeg(entryId, step);
    const refused = 'This video takes longer to prepare than this site allows.';
    expect(await step).toEqual({ refused });
    expect(await ffmpegProcesses(entryId)).toEqual([]);
    await failVideo(run, refused, { generation: 1 });
    expect(await getEntry(userId, entryId)).toMatchObject({
      status: 'completed',
      videoStatus: 'failed',
      videoError: refused,
      videoUrl: expect.stringContaining('remux.webm'),
      transcription: { status: 'completed' },
    });
    await removeCachedCopies(entryId);
  },
);

it('tries any video outside of functions, however long it would take', async () => {
  const source = await probe(await ffmpegTool(), await vp9Webm());
  await assertFitsStep({ ...source, durationSeconds: 100_000 });
});
