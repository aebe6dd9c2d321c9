import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { bucket, s3 } from '@/lib/clients/storage';
import { deletePrefix, uploadObject } from '@/lib/clients/storage-objects';
import { entryKey, entryPrefix } from '@/lib/journal/entries/keys';
import { purgeEntry, removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { probe } from '@/lib/video/media/probe';
import { makeEntry, makeUser } from '@/test/factories';
import { h264Mp4, noisyMp4, vp8Webm } from '@/test/media/clips';
import { cached, encode } from '@/test/media/encode';
import { startLocalServices } from '@/test/services';
import { startStorageProxy } from '@/test/storage-proxy';
import { removeCachedCopies } from './entry-files';
import { ffmpegTool } from './media-tool';
import { publishRemux } from './remux';
import { publishSmallVideo } from './small-video';
import { publishSpeechAudio } from './speech';
import { runEntryStep } from './step';
import { publishStoryboard, publishThumbnail, publishVideo } from './video';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let proxy: Awaited<ReturnType<typeof startStorageProxy>>;

beforeAll(async () => {
  services = await startLocalServices();
  proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  process.env.S3_ENDPOINT = proxy.url;
  delete process.env.SPEECH_BASE_URL;
});
afterAll(async () => {
  await proxy.close();
  await services.end();
});

/** Long enough for its audio to be sent in two parts to the built-in engine. Silence encodes fast. */
const longClip = () =>
  cached('long-silence.mp4', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', '320', '-i', 'color=size=64x64:rate=1'],
        ...['-f', 'lavfi', '-t', '1', '-i', 'sine=frequency=440:sample_rate=16000'],
        ...['-af', 'apad=whole_dur=320', '-c:a', 'aac', '-b:a', '24k'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
      ],
      path,
    ),
  );

interface Step {
  step: string;
  clip: () => Promise<string>;
  /** The key suffix of the upload during which the test acts. */
  during: string;
  /** What the step leaves in storage. */
  objects: string[];
  run: (entry: EntryRef, source: MediaProbe) => Promise<unknown>;
}

const STEPS: Step[] = [
  {
    step: 'thumbnail',
    clip: h264Mp4,
    during: '/thumbnail.jpg',
    objects: ['thumbnail.jpg'],
    run: publishThumbnail,
  },
  {
    step: 'first copy',
    clip: vp8Webm,
    during: '/remux.webm',
    objects: ['remux.webm'],
    run: publishRemux,
  },
  { step: 'video', clip: h264Mp4, during: '/video.mp4', objects: ['video.mp4'], run: publishVideo },
  {
    step: 'storyboard',
    clip: h264Mp4,
    during: '/storyboard.jpg',
    objects: ['storyboard.jpg'],
    run: publishStoryboard,
  },
  {
    step: 'small video',
    clip: noisyMp4,
    during: '/small.mp4',
    objects: ['small.mp4'],
    run: publishSmallVideo,
  },
  {
    step: 'speech',
    clip: longClip,
    during: '/speech-1.pcm',
    objects: ['speech-0.pcm', 'speech-1.pcm'],
    run: publishSpeechAudio,
  },
];

/** Creates an entry with its uploaded file in storage, and the same file as the one the player plays. */
async function processing(clip: () => Promise<string>) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, {
    videoStatus: 'processing',
    videoKey: null,
    thumbnailKey: null,
  });
  const file = await clip();
  for (const name of ['source', 'video.mp4'] as const) {
    await uploadObject(file, entryKey(userId, entryId, name), 'video/mp4');
  }
  const entry: EntryRef = { userId, entryId };
  return { entry, source: await probe(await ffmpegTool(), file) };
}

/** The first attempt of a run that nobody has superseded. */
const attempt = (entry: EntryRef) => ({
  ...entry,
  kind: 'previews' as const,
  generation: 100,
  runId: 'run',
  attempt: 0,
});

async function objectsOf({ userId, entryId }: EntryRef): Promise<string[]> {
  const prefix = entryPrefix(userId, entryId);
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix }));
  return Contents.map(({ Key = '' }) => Key.slice(prefix.length)).sort();
}

const rowOf = async ({ entryId }: EntryRef) =>
  (await db().select().from(entries).where(eq(entries.id, entryId)))[0];

/** Purges an entry the way the person's action and the job after it do. */
async function purge(entry: EntryRef): Promise<void> {
  await removeEntry(entry.userId, entry.entryId);
  await purgeEntry(entry.userId, entry.entryId);
  await deletePrefix(entryPrefix(entry.userId, entry.entryId));
}

describe.each(STEPS)('an entry removed during the step: $step', ({ clip, during, objects, run }) => {
  it('leaves nothing in storage once purged', async () => {
    const { entry, source } = await processing(clip);
    proxy.beforeUpload(during, () => purge(entry));
    await runEntryStep(attempt(entry), (step) => run(step, source));
    expect(await objectsOf(entry)).toEqual([]);
    await removeCachedCopies(entry.entryId);
  });

  it('leaves nothing in storage when an upload seems to fail as well', async () => {
    const { entry, source } = await processing(clip);
    proxy.beforeUpload(`/${objects[0]}`, () => purge(entry));
    const repair = proxy.failUploads(`/${objects.at(-1)}`);
    const step = runEntryStep(attempt(entry), (one) => run(one, source)).finally(repair);
    // It throws, or on a slow machine a heartbeat stops it first.
    await step.catch(() => undefined);
    expect(await objectsOf(entry)).toEqual([]);
    await removeCachedCopies(entry.entryId);
  });

  it('loses nothing when it is restored from the trash', async () => {
    const { entry, source } = await processing(clip);
    const whole = [...new Set(['source', 'video.mp4', ...objects])].sort();
    proxy.beforeUpload(during, () => removeEntry(entry.userId, entry.entryId));
    await runEntryStep(attempt(entry), (step) => run(step, source));
    expect(await objectsOf(entry)).toEqual(expect.arrayContaining(['source', 'video.mp4']));
    expect(await rowOf(entry)).toMatchObject({
      videoStatus: 'processing',
      videoKey: null,
      thumbnailKey: null,
    });
    await restoreEntry(entry.userId, entry.entryId);
    await runEntryStep(attempt(entry), (step) => run(step, source));
    expect(await objectsOf(entry)).toEqual(whole);
    const { videoKey, thumbnailKey } = (await rowOf(entry)) ?? {};
    const pointed = [videoKey, thumbnailKey].flatMap((key) => key?.split('/').at(-1) ?? []);
    expect(whole).toEqual(expect.arrayContaining(pointed));
    await removeCachedCopies(entry.entryId);
  });

  it('is published when the restore came first', async () => {
    const { entry, source } = await processing(clip);
    proxy.beforeUpload(during, async () => {
      await removeEntry(entry.userId, entry.entryId);
      await restoreEntry(entry.userId, entry.entryId);
    });
    await runEntryStep(attempt(entry), (step) => run(step, source));
    expect(await objectsOf(entry)).toEqual(expect.arrayContaining(['source', 'video.mp4', ...objects]));
    await removeCachedCopies(entry.entryId);
  });
});

it('doesn’t play a first copy in place of a final video that was made meanwhile', async () => {
  const { entry, source } = await processing(vp8Webm);
  const final = {
    videoStatus: 'ready',
    videoKey: entryKey(entry.userId, entry.entryId, 'video.mp4'),
  } as const;
  proxy.beforeUpload('/remux.webm', () =>
    db().update(entries).set(final).where(eq(entries.id, entry.entryId)),
  );
  await runEntryStep(attempt(entry), (step) => publishRemux(step, source));
  expect(await objectsOf(entry)).toContain('remux.webm');
  expect(await rowOf(entry)).toMatchObject(final);
  await removeCachedCopies(entry.entryId);
});

it('deletes what a killed attempt had uploaded when the step is tried again', async () => {
  const { entry } = await processing(h264Mp4);
  await purge(entry);
  await uploadObject(await h264Mp4(), entryKey(entry.userId, entry.entryId, 'video.mp4'), 'video/mp4');
  expect(await runEntryStep(attempt(entry), async () => 'worked')).toEqual({ stopped: 'removed' });
  expect(await objectsOf(entry)).toEqual([]);
});

it('looks for ffmpeg once for all that ask at the same time', async () => {
  const [first, second] = await Promise.all([ffmpegTool(), ffmpegTool()]);
  expect(second).toBe(first);
});
