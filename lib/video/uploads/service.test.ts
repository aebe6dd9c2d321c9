import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { canUpload, planDetails } from '@/lib/billing/plans/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { eventsOf, statusOf } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { reservationRequest as request, sendForm } from '@/test/upload-fixtures';
import { reconcileAbandonedUploads } from './abandoned';
import { markUploaded } from './complete';
import { reserveUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it.each([
  ['uploaded', null, 'processing'],
  ['processing', 'remux.mp4', 'completed'],
  ['ready', 'video.mp4', 'completed'],
  ['failed', null, 'failed'],
] as const)(
  'a video that’s %s, with the copy %s, is %s for whoever completes it again',
  async (is, videoKey, status) => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { videoStatus: is, videoKey });
    expect(await markUploaded(userId, id)).toEqual({ id, status });
  },
);

describe('reserving an upload', () => {
  it('gives the last slot to exactly one of 50 that ask at once', async () => {
    const user = await makeUser();
    for (let n = 0; n < 29; n += 1) await makeEntry(user.id);
    const codes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(reserveUpload(user.id, request(10)))),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'quota_reached')).toHaveLength(49);
    expect(await canUpload(user.id)).toBe(false);
  });

  it('counts bytes and time too', async () => {
    const full = await makeUser();
    await makeEntry(full.id, { bytes: 4_999_999_990 });
    expect(await codeOf(reserveUpload(full.id, request(11)))).toBe('quota_reached');
    expect(await codeOf(reserveUpload(full.id, request(10)))).toBe('ok');
    const long = await makeUser();
    await makeEntry(long.id, { durationMs: 10_800_000 });
    expect(await codeOf(reserveUpload(long.id, request(1)))).toBe('quota_reached');
  });

  it('reserves what is left, at most one file, when the size is not known', async () => {
    const user = await makeUser();
    const { metadata } = await reserveUpload(user.id, request());
    const [entry] = await db().select().from(entries).where(eq(entries.id, metadata.entryId));
    expect(entry?.bytes).toBe(4_000_000_000);
    expect((await planDetails(user.id)).storageUse).toBe(4_000_000_000);
  });

  it('refuses other types and more than 4 GB', async () => {
    const user = await makeUser();
    expect(await codeOf(reserveUpload(user.id, { ...request(1), content_type: 'image/png' }))).toBe(
      'unsupported_media_type',
    );
    expect(await codeOf(reserveUpload(user.id, request(4_000_000_001)))).toBe('too_large');
    expect(
      await codeOf(reserveUpload(user.id, { ...request(1), content_type: 'video/webm;codecs=vp9,opus' })),
    ).toBe('ok');
  });

  it('frees its slot when the entry is removed', async () => {
    const user = await makeUser();
    const { metadata } = await reserveUpload(user.id, request(100));
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 1, storageUse: 100 });
    await removeEntry(user.id, metadata.entryId);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 0, storageUse: 0 });
  });
});

describe('storage', () => {
  it('takes no more than was reserved, nothing empty and no other type', async () => {
    const user = await makeUser();
    const reserved = await reserveUpload(user.id, request(5));
    expect((await sendForm(reserved, '123456')).status).toBe(400);
    expect((await sendForm(reserved, '')).status).toBe(400);
    expect((await sendForm(reserved, '12345', 'text/html')).status).toBe(403);
    expect(await codeOf(markUploaded(user.id, reserved.metadata.entryId))).toBe('upload_missing');
    expect((await sendForm(reserved, '12345')).status).toBe(204);
  });
});

describe('completing an upload', () => {
  it('starts the jobs once under 20 parallel calls, and takes the real size', async () => {
    const user = await makeUser();
    const reserved = await reserveUpload(user.id, request());
    await sendForm(reserved, 'twelve bytes');
    const { entryId } = reserved.metadata;
    const answers = await Promise.all(Array.from({ length: 20 }, () => markUploaded(user.id, entryId)));
    for (const answer of answers) expect(answer).toEqual({ id: entryId, status: 'processing' });
    expect(await eventsOf(`video-${entryId}-%`)).toHaveLength(1);
    expect((await planDetails(user.id)).storageUse).toBe(12);
  });

  it("knows nobody else's entries", async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const { metadata } = await reserveUpload(owner.id, request(1));
    expect(await codeOf(markUploaded(stranger.id, metadata.entryId))).toBe('not_found');
  });
});

describe('abandoned uploads', () => {
  const age = (entryId: string, hours: number) =>
    db()
      .update(entries)
      .set({ createdAt: sql`now() - ${hours} * interval '1 hour'` })
      .where(eq(entries.id, entryId));

  it('give their room back after a day, and are completed before that when the video has arrived', async () => {
    const user = await makeUser();
    const [lost, young, arrived] = [
      await reserveUpload(user.id, request(1)),
      await reserveUpload(user.id, request(1)),
      await reserveUpload(user.id, request(1)),
    ];
    await sendForm(arrived, 'x');
    await age(lost.metadata.entryId, 25);
    await age(arrived.metadata.entryId, 1);
    await reconcileAbandonedUploads();
    expect(await statusOf(lost.metadata.entryId)).toBe('gone');
    expect(await statusOf(young.metadata.entryId)).toBe('uploading');
    expect(await statusOf(arrived.metadata.entryId)).toBe('uploaded');
    expect(await eventsOf(`video-${arrived.metadata.entryId}-%`)).toHaveLength(1);
    expect((await planDetails(user.id)).videoCount).toBe(2);
  });
});
