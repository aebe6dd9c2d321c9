import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { getEntry } from '@/lib/journal/entries/service';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { makeEntry, makeUser } from '@/test/factories';
import { h264Mp4 } from '@/test/media/clips';
import { dolbyVisionProfile5, unreadableSound } from '@/test/media/corpus/odd-clips';
import { startLocalServices } from '@/test/services';
import { removeCachedCopies } from './entry-files';
import { publishSpeechAudio } from './speech';
import { runEntryStep } from './step';
import { probeSource, publishVideo } from './video';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

async function uploaded(clip: string) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, {
    videoStatus: 'processing',
    transcriptStatus: 'processing',
  });
  await uploadObject(clip, entryKey(userId, entryId, 'source'), 'video/mp4');
  return { userId, entryId };
}

async function publish(entry: { userId: string; entryId: string }) {
  await publishVideo(entry, (await probeSource(entry)) as MediaProbe);
  return getEntry(entry.userId, entry.entryId);
}

describe('a sound that can’t be decoded', () => {
  it('is said on the entry, and the video plays without it', async () => {
    const entry = await uploaded(await unreadableSound());
    expect(await publish(entry)).toMatchObject({
      videoStatus: 'ready',
      soundError: 'The sound is in a format we can’t read (AC-4). The video plays without it.',
    });
    await removeCachedCopies(entry.entryId);
    // Once it can be, nothing is said any more.
    await uploadObject(await h264Mp4(), entryKey(entry.userId, entry.entryId, 'source'), 'video/mp4');
    await db()
      .update(entries)
      .set({ videoStatus: 'processing', sourceEtag: null })
      .where(eq(entries.id, entry.entryId));
    expect(await publish(entry)).toMatchObject({ soundError: null });
  });

  it('isn’t taken for silence', async () => {
    const entry = await uploaded(await unreadableSound());
    await startJobs(db(), 'transcript', [entry]);
    const run = { ...entry, kind: 'transcript', generation: 1, runId: 'run', attempt: 0 } as const;
    expect(await runEntryStep(run, publishSpeechAudio)).toEqual({
      refused: 'The sound is in a format we can’t read (AC-4), so there’s no transcript.',
    });
  });
});

it('a picture that can’t be decoded is refused at once, with its name', async () => {
  const entry = await uploaded(await dolbyVisionProfile5());
  await startJobs(db(), 'video', [entry]);
  const run = { ...entry, kind: 'video', generation: 1, runId: 'run', attempt: 0 } as const;
  expect(await runEntryStep(run, probeSource)).toEqual({ refused: expect.stringContaining('Dolby Vision') });
});
