import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { headObject, uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { getEntry, mediaAddress } from '@/lib/journal/entries/service';
import { probe } from '@/lib/video/media/probe';
import { makeEntry, makeUser } from '@/test/factories';
import { h264Mp4, noisyMp4 } from '@/test/media/clips';
import { startLocalServices } from '@/test/services';
import { startStorageProxy } from '@/test/storage-proxy';
import { removeCachedCopies } from './entry-files';
import { ffmpegTool } from './media-tool';
import { publishSmallVideo } from './small-video';
import { publishVideo } from './video';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let proxy: Awaited<ReturnType<typeof startStorageProxy>>;

beforeAll(async () => {
  services = await startLocalServices();
  proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  process.env.S3_ENDPOINT = proxy.url;
});
afterAll(async () => {
  await proxy.close();
  await services.end();
});

/** Makes an entry whose upload and final video are the same clip. */
async function watchable(clip: () => Promise<string> = noisyMp4) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoVersion: 'first' });
  const file = await clip();
  for (const name of ['source', 'video.mp4'] as const)
    await uploadObject(file, entryKey(userId, entryId, name), 'video/mp4');
  const source = await probe(await ffmpegTool(), file);
  const small = entryKey(userId, entryId, 'small.mp4');
  return { entry: { userId, entryId }, source, small };
}

const smallUrlOf = async ({ userId, entryId }: { userId: string; entryId: string }) =>
  (await getEntry(userId, entryId)).smallVideoUrl;

describe('the small version of a video', () => {
  it('isn’t made for an entry that’s gone meanwhile', async () => {
    const { entry, source, small } = await watchable();
    await db().delete(entries).where(eq(entries.id, entry.entryId));
    await publishSmallVideo(entry, source);
    expect(await headObject(small)).toBeNull();
  });

  it('has an address that its owner alone can use, until the entry is deleted', async () => {
    const { entry, source } = await watchable();
    const { userId, entryId } = entry;
    expect(await smallUrlOf(entry)).toBe('');
    await expect(mediaAddress(userId, entryId, 'small')).rejects.toMatchObject({ code: 'not_found' });
    await publishSmallVideo(entry, source);
    expect(await smallUrlOf(entry)).toMatch(
      new RegExp(`^/api/v1/entry/${entryId}/video/small\\?v=[0-9a-f]{12}$`),
    );
    const { url } = await mediaAddress(userId, entryId, 'small');
    const file = await fetch(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect((await file.arrayBuffer()).byteLength).toBeLessThan(source.sizeBytes / 4);

    const { id: otherId } = await makeUser();
    await expect(mediaAddress(otherId, entryId, 'small')).rejects.toMatchObject({ code: 'not_found' });
    await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, entryId));
    await expect(mediaAddress(userId, entryId, 'small')).rejects.toMatchObject({ code: 'not_found' });
    await removeCachedCopies(entryId);
  });

  it('is made once, and again for another video', async () => {
    const { entry, source, small } = await watchable();
    await publishSmallVideo(entry, source);
    const first = await smallUrlOf(entry);
    await uploadObject(await h264Mp4(), small, 'video/mp4');
    const other = (await headObject(small))?.etag;
    await publishSmallVideo(entry, source);
    expect([await smallUrlOf(entry), (await headObject(small))?.etag]).toEqual([first, other]);

    await publishVideo(entry, source);
    expect(await smallUrlOf(entry)).toBe('');
    await publishSmallVideo(entry, source);
    expect(await smallUrlOf(entry)).toMatch(/\?v=/);
    expect((await headObject(small))?.etag).not.toBe(other);
    await removeCachedCopies(entry.entryId);
  });

  it('is not that of a video that has been replaced meanwhile', async () => {
    const { entry, source } = await watchable();
    proxy.beforeUpload('/small.mp4', () =>
      db().update(entries).set({ videoVersion: 'second' }).where(eq(entries.id, entry.entryId)),
    );
    await publishSmallVideo(entry, source);
    expect(await smallUrlOf(entry)).toBe('');
    await removeCachedCopies(entry.entryId);
  });

  it('isn’t made of one that’s small already', async () => {
    const { entry, source, small } = await watchable(h264Mp4);
    await publishSmallVideo(entry, source);
    expect([await smallUrlOf(entry), await headObject(small)]).toEqual(['', null]);
  });
});
