import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { makeStoredEntry } from '@/test/stored-entries';
import { retryVideo } from './retry-video';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const refused = (code: string) => ({ status: 'rejected', reason: { code } });
const rowOf = async (id: string) => (await db().select().from(entries).where(eq(entries.id, id)))[0];

describe('processing a failed video again', () => {
  const failed = { videoStatus: 'failed', videoKey: null, transcriptStatus: 'failed' } as const;
  const lost = 'We no longer have this video. Upload it again.';
  const startsOf = async (id: string) => ({
    jobs: await db().$count(entryJobs, eq(entryJobs.entryId, id)),
    events: await db().$count(outbox, sql`${outbox.payload} like ${`%${id}%`}`),
  });

  it('starts once when it’s asked for twice', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeStoredEntry(userId, failed);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ videoStatus: 'processing' }).where(eq(entries.id, id)),
      () => retryVideo(userId, id),
    );
    expect([waited, outcome]).toMatchObject([true, refused('conflict')]);
    expect(await startsOf(id)).toEqual({ jobs: 0, events: 0 });
  });

  it('keeps a transcript that’s written at the same moment', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeStoredEntry(userId, failed);
    const { waited } = await duringTransaction(
      (tx) => tx.update(entries).set({ transcriptStatus: 'completed' }).where(eq(entries.id, id)),
      () => retryVideo(userId, id),
    );
    expect(waited).toBe(true);
    expect(await rowOf(id)).toMatchObject({ videoStatus: 'processing', transcriptStatus: 'completed' });
    expect(await startsOf(id)).toEqual({ jobs: 1, events: 1 });
  });

  it('starts nothing for a video that’s somebody else’s, or didn’t fail, or that storage has lost', async () => {
    const [{ id: userId }, stranger] = [await makeUser(), await makeUser()];
    const [mine, played, gone] = [
      await makeStoredEntry(userId, failed),
      await makeStoredEntry(userId),
      await makeEntry(userId, failed),
    ];
    expect(await codeOf(retryVideo(stranger.id, mine.id))).toBe('not_found');
    await expect(retryVideo(userId, played.id)).rejects.toMatchObject({
      ...{ code: 'conflict', message: 'There’s nothing to process again.' },
    });
    await expect(retryVideo(userId, gone.id)).rejects.toMatchObject({ code: 'conflict', message: lost });
    for (const { id } of [mine, played, gone]) expect(await startsOf(id)).toEqual({ jobs: 0, events: 0 });
  });

  it('takes no other file for the video', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeStoredEntry(userId, { ...failed, sourceEtag: 'another' });
    await expect(retryVideo(userId, id)).rejects.toMatchObject({ code: 'conflict', message: lost });
    await db().update(entries).set({ sourceEtag: null }).where(eq(entries.id, id));
    expect(await retryVideo(userId, id)).toMatchObject({ id });
  });

  it('forgets why it failed', async () => {
    const { id: userId } = await makeUser();
    const errors = { videoError: 'We can’t read this file.', transcriptError: 'Try again later.' };
    const { id } = await makeStoredEntry(userId, { ...failed, ...errors });
    await retryVideo(userId, id);
    expect(await rowOf(id)).toMatchObject({
      ...{ videoStatus: 'processing', videoError: null },
      ...{ transcriptStatus: 'processing', transcriptError: null },
    });
  });
});
