import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { removeEntry } from '@/lib/journal/entries/trash';
import { probe } from '@/lib/video/media/probe';
import { endPreviews, getWaveform, previewsOf, storyboardAddress } from '@/lib/video/previews/service';
import { makeEntry, makeUser } from '@/test/factories';
import { h264Mp4 } from '@/test/media/clips';
import { startLocalServices } from '@/test/services';
import { removeCachedCopies } from './entry-files';
import { ffmpegTool } from './media-tool';
import { publishStoryboard, publishWaveform } from './video';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Creates an entry whose final video is in storage. */
async function watchable() {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId);
  const clip = await h264Mp4();
  await uploadObject(clip, entryKey(userId, entryId, 'video.mp4'), 'video/mp4');
  return { userId, entryId, video: await probe(await ffmpegTool(), clip) };
}

const NONE = { storyboard: null, waveform: null };

describe('the previews of an entry', () => {
  it('are made again from wherever a job was killed, to the same end', async () => {
    const { video, ...entry } = await watchable();
    expect(await previewsOf(entry.userId, entry.entryId)).toEqual(NONE);
    await publishStoryboard(entry, video);
    const half = await previewsOf(entry.userId, entry.entryId);
    expect(half).toMatchObject({ storyboard: { count: 4, everySeconds: 1 }, waveform: null });
    await publishWaveform(entry, video);
    const whole = await previewsOf(entry.userId, entry.entryId);
    expect(Buffer.from(whole.waveform ?? '', 'base64')).toHaveLength(80);
    expect(await getWaveform(entry.userId, entry.entryId)).toEqual({ waveform: whole.waveform });

    // The row was lost after the object was stored but before it was recorded, and the local copy was lost with the
    // machine.
    await db().delete(previews).where(eq(previews.entryId, entry.entryId));
    await removeCachedCopies(entry.entryId);
    for (let round = 0; round < 2; round += 1) {
      await publishWaveform(entry, video);
      await publishStoryboard(entry, video);
      expect(await previewsOf(entry.userId, entry.entryId)).toEqual(whole);
    }
    const { url } = await storyboardAddress(entry.userId, entry.entryId);
    const picture = await fetch(url);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    await removeCachedCopies(entry.entryId);
  });

  it('are nobody else’s, and gone with the entry', async () => {
    const { video, ...entry } = await watchable();
    await publishStoryboard(entry, video);
    const other = await makeUser();
    expect(await previewsOf(other.id, entry.entryId)).toEqual(NONE);
    const before = await db().select().from(previews).where(eq(previews.entryId, entry.entryId));
    await endPreviews({ ...entry, userId: other.id });
    expect(await db().select().from(previews).where(eq(previews.entryId, entry.entryId))).toEqual(before);
    expect(await getWaveform(entry.userId, entry.entryId)).toEqual({ waveform: null });
    await expect(getWaveform(other.id, entry.entryId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(storyboardAddress(other.id, entry.entryId)).rejects.toMatchObject({ code: 'not_found' });
    await removeEntry(entry.userId, entry.entryId);
    expect(await previewsOf(entry.userId, entry.entryId)).toEqual(NONE);
    await expect(storyboardAddress(entry.userId, entry.entryId)).rejects.toMatchObject({ code: 'not_found' });
    await removeCachedCopies(entry.entryId);
  });

  it('are not written to an entry that was deleted while they were made', async () => {
    const { video, ...entry } = await watchable();
    await db().update(entries).set({ trashedAt: sql`now()` }).where(eq(entries.id, entry.entryId));
    await publishWaveform(entry, video);
    await db().delete(entries).where(eq(entries.id, entry.entryId));
    await publishStoryboard(entry, video);
    expect(await db().select().from(previews).where(eq(previews.entryId, entry.entryId))).toEqual([]);
    await removeCachedCopies(entry.entryId);
  });
});
