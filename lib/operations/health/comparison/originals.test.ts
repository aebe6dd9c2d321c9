import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { deleteObject, deletePrefix, headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { compare, makeStoredEntry, store } from '@/test/stored-entries';
import { getEntryRow } from '@/test/video-fixtures';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
beforeEach(async () => {
  await db().delete(users);
  await deletePrefix('entries/');
  ({ id: userId } = await makeUser());
});

const sourceOf = (entry: { id: string }) => entryKey(userId, entry.id, 'source');
const videoOf = (entry: { id: string }) => entryKey(userId, entry.id, 'video.mp4');
const repair = { mayRepair: true };

describe('originals that differ from their rows', () => {
  it('get their real size recorded, which is what their account’s use counts', async () => {
    const entry = await makeStoredEntry(userId);
    await db().update(entries).set({ bytes: 5 }).where(eq(entries.id, entry.id));
    expect((await compare())['Storage use']).toMatch(/✗ 1 entry counts.*✗ 1 account’s use.*/s);
    expect((await compare(repair))['Storage use']).not.toContain('✗');
    expect((await getEntryRow(entry.id)).bytes).toBe(1000);
  });

  it('get the ETag recorded that they have after the bucket was copied', async () => {
    const entry = await makeStoredEntry(userId, { sourceEtag: `${'ab'.repeat(16)}-2` });
    expect((await compare()).Files).toMatch(/✗ 1 original has a different ETag/);
    expect((await compare(repair)).Files).toMatch(/✓ 1 original has a different ETag/);
    expect((await getEntryRow(entry.id)).sourceEtag).toBe((await headObject(sourceOf(entry)))?.etag);
  });

  it('are compared byte by byte while somebody could have replaced them', async () => {
    const uploadExpiresAt = new Date();
    await makeStoredEntry(userId, { sourceEtag: 'ab'.repeat(16), uploadExpiresAt });
    expect((await compare(repair)).Files).toMatch(
      /✗ 1 original has a different ETag.*Storage’s file differs/s,
    );
  });

  it('are left to the operator if they’re another file', async () => {
    const entry = await makeStoredEntry(userId);
    await store(sourceOf(entry), 77);
    expect((await compare(repair)).Files).toMatch(/✗ 1 original isn’t what was uploaded.*backup/s);
    expect((await headObject(sourceOf(entry)))?.size).toBe(77);
  });
});

describe('an original that’s the video itself', () => {
  /** Makes an entry whose upload may still be in storage, too. */
  async function makeStoredOnce() {
    const entry = await makeStoredEntry(userId, { storedOnce: true });
    await store(videoOf(entry), 1000);
    return entry;
  }

  it('isn’t missed where uploads are kept, and what’s left there is deleted', async () => {
    const entry = await makeStoredOnce();
    expect((await compare(repair)).Files).toMatch(/^✓ 1 temporary file/);
    expect(await headObject(sourceOf(entry))).toBeNull();
    expect(await compare()).toEqual({});
  });

  it('is missed if it’s gone, and what’s left of the upload stays', async () => {
    const entry = await makeStoredOnce();
    await deleteObject(videoOf(entry));
    expect((await compare(repair)).Files).toMatch(/✗ 1 entry/);
    expect(await headObject(sourceOf(entry))).not.toBeNull();
  });

  it('is left to the operator if it’s another file', async () => {
    const entry = await makeStoredOnce();
    await deleteObject(sourceOf(entry));
    await store(videoOf(entry), 77);
    expect((await compare(repair)).Files).toMatch(/✗ 1 original isn’t what was uploaded/);
  });
});
