import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { store } from '@/test/stored-entries';
import { deleteRemux, hasRemux } from './remux';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it('stays until the final video has taken its place', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'processing' });
  const entry = { userId, entryId };
  const key = entryKey(userId, entryId, 'remux.mp4');
  await store(key);
  await deleteRemux(entry);
  expect([await hasRemux(entry), await headObject(key)]).toMatchObject([false, { size: 10 }]);
  await db().update(entries).set({ videoStatus: 'ready' }).where(eq(entries.id, entryId));
  expect(await hasRemux(entry)).toBe(true);
  await deleteRemux(entry);
  expect([await hasRemux(entry), await headObject(key)]).toEqual([false, null]);
});
