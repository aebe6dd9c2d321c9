import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { saveChecksum, selectKnownFiles } from './checksums';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it('are computed again without forgetting whether browsers play the file', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId);
  const sums = { bytes: 1, sha256: 'a', crc32: 1 };
  await saveChecksum(db(), entryId, 'source', { ...sums, playable: true });
  await saveChecksum(db(), entryId, 'source', { ...sums, bytes: 2, playable: null });
  expect((await selectKnownFiles([entryId])).get(entryId)).toEqual({
    source: { ...sums, bytes: 2, playable: true },
  });
});
