import { writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { previews } from '@/db/schema/previews';
import { purgeEntry, removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { startJobFixture } from '@/test/job-fixture';
import { h264Mp4, noAudioMp4, rotatedMp4 } from '@/test/media/clips';
import { cached } from '@/test/media/encode';
import { completed, expire, objectsOf, reserve, rowOf, type Upload } from '@/test/upload-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

const notAVideo = () => cached('words.mp4', (path) => writeFile(path, 'Not a video at all. '.repeat(500)));

async function processed(clip: () => Promise<string>): Promise<Upload> {
  const upload = await completed(clip);
  await deliverOutbox();
  await jobs.endOf('process-video');
  await jobs.endOf('transcribe');
  await jobs.endOf('finish-video');
  return upload;
}

const REPLACED = 'This file changed after you uploaded it, so we stopped processing it.';
const MISSING = 'We couldn’t find this video in storage. Upload it again.';
const PROCESSED = ['source', 'storyboard.jpg', 'thumbnail.jpg', 'video.mp4'];

/** What happens after a function has failed is a run of its own. */
const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 150_000 });

describe('what jobs leave on the machine', () => {
  afterEach(() => soon(jobs.files).toEqual([]));

  it('is nothing once a video is ready', async () => {
    const upload = await processed(noAudioMp4);
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'no_speech' });
  });

  it('is nothing when the file is refused', async () => {
    const upload = await completed(notAVideo);
    await deliverOutbox();
    await jobs.endOf('process-video');
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'failed' });
  });

  it('is nothing when the job gives up', async () => {
    const repair = jobs.proxy.failUploads('/thumbnail.jpg', 416);
    const upload = await completed(noAudioMp4);
    await deliverOutbox();
    expect(await jobs.hurry(jobs.endOf('process-video'))).toMatchObject({ status: 'failed' });
    repair();
    await jobs.endOf('transcribe');
    await soon(() => rowOf(upload)).toMatchObject({ videoStatus: 'failed' });
  });

  it('is nothing when the speech service never answers', async () => {
    const upload = await jobs.hurry(processed(h264Mp4));
    await soon(() => rowOf(upload)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'failed' });
    await soon(() => objectsOf(upload)).toEqual(PROCESSED);
  });

  it('is nothing a minute after a removal has stopped the job', async () => {
    const upload = await completed(noAudioMp4);
    jobs.proxy.beforeUpload('/thumbnail.jpg', async () => {
      await removeEntry(upload.userId, upload.entryId);
      await deliverOutbox();
    });
    await deliverOutbox();
    await jobs.endOf('process-video');
    await jobs.endOf('transcribe');
    await jobs.sweep();
  });
});

describe('a presigned address that is used again', () => {
  it('before the jobs start: the entry fails and says so, and the other file goes', async () => {
    const upload = await completed(noAudioMp4);
    await upload.send(await h264Mp4());
    await deliverOutbox();
    expect(await jobs.endOf('process-video')).toMatchObject({ status: 'completed', steps: 2 });
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'failed', videoError: REPLACED });
    await expire(upload);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual([]);
    expect(await jobs.files()).toEqual([]);
  });

  it('while the jobs run: what was completed is processed', async () => {
    const upload = await completed(noAudioMp4);
    jobs.proxy.beforeUpload('/thumbnail.jpg', async () => upload.send(await rotatedMp4()));
    await deliverOutbox();
    await jobs.endOf('process-video');
    await jobs.endOf('transcribe');
    await jobs.endOf('finish-video');
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', width: 320, height: 180 });
    await expire(upload);
    await jobs.sweep();
    expect(await objectsOf(upload)).not.toContain('source');
  });

  it('after everything: the video stays, and the other file goes', async () => {
    const upload = await processed(noAudioMp4);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual(PROCESSED);
    await upload.send(await rotatedMp4());
    await expire(upload);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual(PROCESSED.slice(1));
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', uploadExpiresAt: null });
  });

  it('never: the file stays', async () => {
    const upload = await processed(noAudioMp4);
    await expire(upload);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual(PROCESSED);
    expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', uploadExpiresAt: null });
  });

  it('after a removal that is undone: the entry fails and says so', async () => {
    const upload = await completed(noAudioMp4);
    await db().delete(outbox);
    await removeEntry(upload.userId, upload.entryId);
    await upload.send(await rotatedMp4());
    await expire(upload);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual([]);
    await restoreEntry(upload.userId, upload.entryId);
    await deliverOutbox();
    await jobs.endOf('process-video');
    expect(await rowOf(upload)).toMatchObject({
      videoStatus: 'failed',
      videoError: MISSING,
    });
  });

  it('after a purge: what arrives is deleted once the address has expired', async () => {
    const upload = await processed(noAudioMp4);
    await removeEntry(upload.userId, upload.entryId);
    await purgeEntry(upload.userId, upload.entryId);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual([]);
    await upload.send(await rotatedMp4());
    await expire(upload);
    await jobs.sweep();
    expect(await objectsOf(upload)).toEqual([]);
  });

  it('after an upload was discarded: what arrives is deleted once the address has expired', async () => {
    const upload = await reserve();
    await removeEntry(upload.userId, upload.entryId);
    await jobs.sweep();
    await upload.send(await rotatedMp4());
    await expire(upload);
    await jobs.sweep();
    await jobs.sweep();
    expect(await rowOf(upload)).toBeUndefined();
    expect(await objectsOf(upload)).toEqual([]);
  });
});

describe('an entry that is removed during a job and restored', () => {
  const DURING = ['/thumbnail.jpg', '/video.mp4', '/storyboard.jpg'];

  it.each(DURING)('before the job was stopped, at %s, ends up whole', async (during) => {
    const upload = await completed(noAudioMp4);
    jobs.proxy.beforeUpload(during, async () => {
      await removeEntry(upload.userId, upload.entryId);
      await restoreEntry(upload.userId, upload.entryId);
    });
    await deliverOutbox();
    await becomesWhole(upload);
  });

  it.each(DURING)('after the job was stopped, at %s, ends up whole', async (during) => {
    const upload = await completed(noAudioMp4);
    const stopped = during === '/storyboard.jpg' ? 'finish-video' : 'process-video';
    const before = await jobs.countOf(stopped);
    jobs.proxy.beforeUpload(during, async () => {
      await removeEntry(upload.userId, upload.entryId);
      await deliverOutbox();
    });
    await deliverOutbox();
    await soon(() => jobs.hasEnded(stopped, before)).toBe(true);
    await restoreEntry(upload.userId, upload.entryId);
    await becomesWhole(upload);
  });

  async function becomesWhole(upload: Upload): Promise<void> {
    await soon(async () => {
      await deliverOutbox();
      const [preview] = await db().select().from(previews).where(eq(previews.entryId, upload.entryId));
      return {
        row: await rowOf(upload),
        objects: await objectsOf(upload),
        hasStoryboard: Boolean(preview?.storyboard),
      };
    }).toMatchObject({
      row: { videoStatus: 'ready', transcriptStatus: 'no_speech' },
      objects: PROCESSED,
      hasStoryboard: true,
    });
  }
});
