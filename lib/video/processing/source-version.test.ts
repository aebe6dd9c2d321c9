import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { getEntryRow } from '@/test/video-fixtures';
import { acceptVersion } from './source-version';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it('accepts no version of a file that storage has lost', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { sourceEtag: 'a' });
  expect(await acceptVersion({ userId, entryId }, true)).toBe(false);
  expect(await getEntryRow(entryId)).toMatchObject({ sourceEtag: 'a' });
});
