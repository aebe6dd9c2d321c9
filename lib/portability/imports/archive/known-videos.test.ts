import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { removeEntry } from '@/lib/journal/entries/trash';
import { archivedEntry, archivedJournal, sha256Of } from '@/test/archive-writer';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import {
  contentOf,
  entryAt,
  idsOf,
  importAll,
  importOne,
  openImport,
  statesOf,
} from '@/test/import-fixtures';
import { duringTransaction } from '@/test/open-transaction';
import { smallArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** An archive that has one video in three entries, two of them on the same date. */
function archiveOfTwins() {
  const files = new Map<string, Buffer>();
  const video = randomBytes(300);
  const make = (title: string, date: string, createdAt: string) =>
    archivedEntry(files, video, { title, date, createdAt });
  const twins = [
    make('One', '2024-05-01', '2024-05-01T10:00:00.000Z'),
    make('Two', '2024-05-01', '2024-05-01T11:00:00.000Z'),
    make('Three', '2024-05-02', '2024-05-02T10:00:00.000Z'),
  ];
  return { journal: archivedJournal(twins), files, sha256: sha256Of(video) };
}

/** Returns the titles of an account's entries that aren't in the trash. */
const titlesOf = async (userId: string) =>
  (await contentOf(userId)).entries.filter(({ trashedAt }) => !trashedAt).map(({ title }) => title);

it('brings back the one of several entries with the same video that was deleted', async () => {
  const { id: userId } = await makeUser();
  const { journal, files } = archiveOfTwins();
  await removeEntry(userId, await importOne(userId, journal, files));
  await importAll(userId, journal, files);
  await importAll(userId, journal, files);
  expect(await titlesOf(userId)).toEqual(['One', 'Two', 'Three']);
  await removeEntry(userId, await importOne(userId, journal, files));
  expect(await statesOf(userId, journal)).toEqual(['new', 'exists', 'exists']);
  await importAll(userId, journal, files);
  expect(await titlesOf(userId)).toEqual(['One', 'Two', 'Three']);
});

it('tells entries of the journal’s own archive apart, wherever they were moved', async () => {
  const { id: userId } = await makeUser();
  const { journal, sha256 } = archiveOfTwins();
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => makeEntry(userId, { date: '2024-05-02' })));
  const ids = [one, two, three].map((entry) => entry?.id ?? '');
  await db()
    .insert(entryFiles)
    .values(ids.map((entryId) => ({ entryId, name: 'source' as const, bytes: 300, sha256, crc32: 0 })));
  const own = {
    ...journal,
    entries: journal.entries.map((entry, index) => ({ ...entry, id: ids[index] ?? '' })),
  };
  await removeEntry(userId, ids[2] ?? '');
  expect(await statesOf(userId, own)).toEqual(['exists', 'exists', 'new']);
});

it('recognizes entries that another account’s archive has under other ids, each of them once', async () => {
  const { id: userId } = await makeUser();
  const { journal, files } = archiveOfTwins();
  const renamed = { ...journal, entries: journal.entries.map((entry) => ({ ...entry, id: randomUUID() })) };
  await importOne(userId, journal, files, { entry: entryAt(journal, 1) });
  expect(await statesOf(userId, renamed)).toEqual(['exists', 'new', 'new']);
  await importAll(userId, journal, files);
  expect(await statesOf(userId, renamed)).toEqual(['exists', 'exists', 'exists']);
});

it('recognizes an entry whose original is lost by the copy that plays', async () => {
  const { id: userId } = await makeUser();
  const files = new Map<string, Buffer>();
  const { original: playable, ...rest } = archivedEntry(files, randomBytes(300));
  const journal = archivedJournal([{ ...rest, original: null, playable }]);
  const { id: entryId } = await makeEntry(userId, { date: rest.date });
  const sums = (name: 'source' | 'video.mp4', sha256 = '') => ({
    entryId,
    name,
    bytes: 300,
    sha256,
    crc32: 0,
  });
  const source = sums('source', sha256Of(randomBytes(1)));
  await db()
    .insert(entryFiles)
    .values([source, sums('video.mp4', playable?.sha256)]);
  expect(await statesOf(userId, journal)).toEqual(['exists']);
  expect(await importOne(userId, journal, files)).toBe(entryId);
});

it('refuses an entry that isn’t one of those with its video', async () => {
  const { id: userId } = await makeUser();
  const { journal, files } = archiveOfTwins();
  const opened = openImport(userId, journal, files, entryAt(journal), { twin: 3 });
  expect(await codeOf(opened)).toBe('validation_failed');
});

it('isn’t imported again if it arrives while an archive says something else of it', async () => {
  const { id: userId } = await makeUser();
  const { journal, files } = smallArchive();
  const open = (title: string) => openImport(userId, journal, files, undefined, { title });
  const { entryId } = await open('One');
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.update(entries).set({ videoStatus: 'uploaded' }).where(eq(entries.id, entryId)),
    () => open('Another'),
  );
  expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: { entryId, exists: true } }]);
  expect(await idsOf(userId)).toEqual([entryId]);
});
