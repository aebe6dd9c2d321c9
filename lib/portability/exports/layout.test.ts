import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { removeEntry } from '@/lib/journal/entries/trash';
import { addTranscript, makeTag } from '@/test/entry-fixtures';
import {
  type EntryValues,
  makeStoredVideo,
  prepareArchive,
  readArchive,
  requestExport,
} from '@/test/export-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { startStorageProxy } from '@/test/storage-proxy';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let proxy: Awaited<ReturnType<typeof startStorageProxy>>;

beforeAll(async () => {
  services = await startLocalServices();
  proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  process.env.S3_ENDPOINT = proxy.url;
});
afterAll(async () => {
  await proxy.close();
  await services.end();
});

/** Creates an entry whose video has no copy. */
const makeVideo = (userId: string, values: EntryValues = {}) =>
  makeStoredVideo(services.folder('video'), userId, 10, { videoStatus: 'failed', videoKey: null, ...values });

it('gives entries different names, whatever their files are', async () => {
  const { id: userId } = await makeUser();
  const titles: [string, EntryValues][] = [
    ['Untitled', { fileName: 'a.mp4', transcriptStatus: 'no_speech' }],
    ['Untitled', { fileName: 'b.webm' }],
    ['Straße', { fileName: 'c.mp4' }],
    ['STRASSE', { fileName: 'd.mov' }],
    ['Untitled.playable', { fileName: 'e.mp4' }],
    ['Page', { fileName: 'f.html', contentType: 'video/unknown' }],
    ['Setup', { fileName: 'g.exe', contentType: 'video/unknown' }],
  ];
  for (const [title, values] of titles) await makeVideo(userId, { title, ...values });
  const run = await requestExport(userId);
  await prepareArchive(run);
  const { journal, paths } = await readArchive(run);
  expect(journal.entries.map(({ original }) => original?.path)).toEqual([
    '2026/2026-01-15 Untitled.mp4',
    '2026/2026-01-15 Untitled (2).webm',
    '2026/2026-01-15 Straße.mp4',
    '2026/2026-01-15 STRASSE (2).mov',
    '2026/2026-01-15 Untitled.playable.mp4',
    '2026/2026-01-15 Page.bin',
    '2026/2026-01-15 Setup.bin',
  ]);
  expect(new Set(paths.map((path) => path.toUpperCase())).size).toBe(paths.length);
});

it('has each entry once, and its tags, whatever changes while it’s laid out', async () => {
  const { id: userId } = await makeUser();
  const days = Array.from({ length: 80 }, (_, day) => new Date(Date.UTC(2020, 0, day + 1)));
  const ids: string[] = [];
  for (const day of days) {
    const date = day.toISOString().slice(0, 10);
    ids.push((await makeEntry(userId, { videoStatus: 'failed', videoKey: null, date })).id);
  }
  const [first = '', last = '', trashed = '', tagged = ''] = [0, -1, -2, -3].map((at) => ids.at(at) ?? '');
  const untagged = await makeTag(userId, 'Deleted');
  await db().insert(entryTags).values({ entryId: first, tagId: untagged });
  // So many words that a part of the layout is sent after the first entry.
  await addTranscript(first, 'x'.repeat(9_000_000));
  await addTranscript(first, 'short', 1);
  proxy.beforeUpload('.text', async () => {
    await db().update(entries).set({ date: '2031-01-01' }).where(eq(entries.id, first));
    await db().update(entries).set({ date: '2001-01-01' }).where(eq(entries.id, last));
    await removeEntry(userId, trashed);
    await db().delete(tags).where(eq(tags.id, untagged));
    const tagId = await makeTag(userId, 'New');
    await db().insert(entryTags).values({ entryId: tagged, tagId });
  });

  const run = await requestExport(userId);
  await prepareArchive(run);
  const { journal, json } = await readArchive(run);
  expect(journal.entries.map(({ id }) => id)).toEqual(ids.filter((id) => id !== trashed));
  const [tag] = journal.tags;
  expect(journal.tags).toMatchObject([{ name: 'New' }]);
  expect(journal.entries.flatMap(({ id, tags: own }) => own.map((used) => [id, used]))).toEqual([
    [tagged, tag?.id],
  ]);
  const { revisions } = json(journal.entries[0]?.transcript?.path ?? '');
  expect(revisions).toMatchObject([{ revision: 0 }, { revision: 1, words: [{ word: 'short' }] }]);
});
