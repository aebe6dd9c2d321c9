import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeEntries, removeEntry } from '@/lib/journal/entries/trash';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { changeDates, changeTags } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it('names the entries that are gone, and no others', async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  const own = (await makeEntry(user.id)).id;
  const trashed = (await makeEntry(user.id)).id;
  await removeEntry(user.id, trashed);
  const gone = [trashed, (await makeEntry(stranger.id)).id, randomUUID()];
  const fields = Object.fromEntries(gone.map((id) => [id, 'This entry isn’t there anymore.']));
  const ids = [own, ...gone];
  for (const attempt of [
    () => changeTags(user.id, ids, { add: [], remove: [], create: ['New'] }),
    () => changeDates(user.id, ids, { days: -1 }),
    () => removeEntries(user.id, ids),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found', fields });
  }
  await removeEntries(user.id, [own]);
});
