import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { headObject, uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { makeEntry, makeUser } from '@/test/factories';
import { CLIP_SECONDS, h264Mp4 } from '@/test/media/clips';
import { startLocalServices } from '@/test/services';
import { removeCachedCopies } from './entry-files';
import { probeSource } from './video';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it('holds the one of two files probed in parallel that the plan has no time for, and keeps it', async () => {
  const { id: userId } = await makeUser();
  const left = CLIP_SECONDS * 1.5;
  await makeEntry(userId, { durationMs: (PLAN_LIMITS.Free.seconds - left) * 1000 });
  const clip = await h264Mp4();
  const videos = await Promise.all(
    ['first', 'second'].map(async (title) => {
      const values = { title, videoStatus: 'uploaded', videoKey: null, durationMs: null } as const;
      const { id: entryId } = await makeEntry(userId, values);
      await uploadObject(clip, entryKey(userId, entryId, 'source'), 'video/mp4');
      return { userId, entryId };
    }),
  );
  await Promise.all(videos.map((video) => probeSource(video)));
  const rows = await Promise.all(
    videos.map(async ({ entryId }) => {
      const [row] = await db().select().from(entries).where(eq(entries.id, entryId));
      expect((await headObject(entryKey(userId, entryId, 'source')))?.size).toBe(row?.bytes);
      return row;
    }),
  );
  expect(rows.map((row) => row?.videoStatus).sort()).toEqual(['failed', 'processing']);
  expect(rows.find((row) => row?.heldByPlan)?.videoError).toBe("You have reached your plan's quota.");
  for (const { entryId } of videos) await removeCachedCopies(entryId);
});
