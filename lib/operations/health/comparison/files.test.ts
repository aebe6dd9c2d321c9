import { eq, inArray } from 'drizzle-orm';
import pLimit from 'p-limit';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { previews } from '@/db/schema/previews';
import { deleteObject, deletePrefix, headObject } from '@/lib/clients/storage-objects';
import { entryKey, entryPrefix } from '@/lib/journal/entries/keys';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { MediaError } from '@/lib/video/media/errors';
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
  await db().delete(outbox);
  await deletePrefix('entries/');
  await deletePrefix('exports/');
  ({ id: userId } = await makeUser());
});

const sourceOf = (entry: { id: string }) => entryKey(userId, entry.id, 'source');
const videoOf = (entry: { id: string }) => entryKey(userId, entry.id, 'video.mp4');
const exists = async (key: string) => (await headObject(key)) !== null;
const repair = { mayRepair: true };

it('finds nothing wrong with entries in any state, the trash included', async () => {
  await makeStoredEntry(userId);
  await makeStoredEntry(userId, { trashedAt: new Date() });
  await makeStoredEntry(userId, { videoStatus: 'uploading', videoKey: null });
  await makeStoredEntry(userId, { videoStatus: 'failed', videoKey: null, heldByPlan: true });
  const processing = await makeStoredEntry(userId, { videoStatus: 'processing', videoKey: null });
  await startJobs(db(), 'video', [{ userId, entryId: processing.id }]);
  await store(entryKey(userId, processing.id, 'remux.mp4'));
  const large = await makeStoredEntry(userId, { smallVersion: 'a1' });
  await store(entryKey(userId, large.id, 'small.mp4'));
  expect(await compare({ isThorough: true })).toEqual({});
});

describe('rows without objects', () => {
  it('are listed by what can be done about them', async () => {
    const [lost, original, copy] = [
      await makeStoredEntry(userId),
      await makeStoredEntry(userId),
      await makeStoredEntry(userId, { trashedAt: new Date() }),
    ];
    await deletePrefix(entryPrefix(userId, lost.id));
    await deleteObject(sourceOf(original));
    await deleteObject(videoOf(copy));
    const { Files = '' } = await compare();
    expect(Files.split('✗ ').slice(1)).toEqual([
      expect.stringContaining(`1 entry has neither its original`),
      expect.stringContaining('1 entry plays, but storage has lost its original'),
      expect.stringContaining('1 entry lacks'),
    ]);
    for (const { id } of [lost, original, copy]) expect(Files).toContain(id);
  });

  it('are made again from the original, or from the video', async () => {
    const [copy, storyboard] = [await makeStoredEntry(userId), await makeStoredEntry(userId)];
    await deleteObject(videoOf(copy));
    await db()
      .insert(previews)
      .values({
        entryId: storyboard.id,
        storyboard: { everySeconds: 1, count: 1, columns: 1, width: 1, height: 1 },
      });
    expect((await compare(repair)).Files).toMatch(/^✓ 2 entries lack.*Repaired\.$/s);
    expect(await getEntryRow(copy.id)).toMatchObject({ videoStatus: 'processing', videoKey: null });
    const started = await db().select().from(entryJobs).orderBy(entryJobs.kind);
    expect(started.map(({ entryId, kind }) => [entryId, kind])).toEqual([
      [copy.id, 'video'],
      [storyboard.id, 'previews'],
    ]);
    expect(await compare()).toEqual({});
  });

  it('don’t keep a small video that’s gone, which is made again from the video', async () => {
    const entry = await makeStoredEntry(userId, { smallVersion: 'a1' });
    const trashed = await makeStoredEntry(userId, { smallVersion: 'a1', trashedAt: new Date() });
    expect((await compare(repair)).Files).toMatch(/^✓ 2 entries lack.*Repaired\.$/s);
    for (const { id } of [entry, trashed]) expect((await getEntryRow(id)).smallVersion).toBeNull();
    const started = await db().select().from(entryJobs);
    expect(started.map(({ entryId, kind }) => [entryId, kind])).toEqual([[entry.id, 'previews']]);
    expect(await compare()).toEqual({});
  });

  it('aren’t repaired, nor forgotten, if a thumbnail is gone along with the original', async () => {
    const entry = await makeStoredEntry(userId);
    const thumbnailKey = entryKey(userId, entry.id, 'thumbnail.jpg');
    await db().update(entries).set({ thumbnailKey }).where(eq(entries.id, entry.id));
    await deleteObject(sourceOf(entry));
    expect((await compare(repair)).Files).toMatch(/✗ 1 entry lacks.*needs the original/s);
    expect((await getEntryRow(entry.id)).thumbnailKey).toBe(thumbnailKey);
    await store(sourceOf(entry), 1000);
    expect((await compare(repair)).Files).toMatch(/^✓ 1 entry lacks/);
  });

  it('aren’t suspected because of a key below a folder among them', async () => {
    const entry = await makeStoredEntry(userId);
    const below = `${entryPrefix(userId, entry.id)}t/source`;
    await store(below);
    expect(await compare(repair)).toEqual({ Files: expect.stringMatching(/^✓ 1 object in storage has/) });
    expect((await getEntryRow(entry.id)).videoKey).toBe(videoOf(entry));
  });

  it('are no surprise where their owner was told', async () => {
    const videoError = new MediaError('source_missing').message;
    const { id } = await makeStoredEntry(userId, { videoStatus: 'failed', videoKey: null, videoError });
    await deletePrefix(entryPrefix(userId, id));
    expect(await compare()).toEqual({});
  });
});

describe('objects without rows', () => {
  it('are deleted once they’re a day old, except for what another version may need', async () => {
    const entry = await makeStoredEntry(userId);
    await makeStoredEntry(userId);
    const gone = `entries/${uuidv7()}/${uuidv7()}/thumbnail.jpg`;
    const archive = `exports/${userId}/${uuidv7()}/archive.zip`;
    const unknown = `${entryPrefix(userId, entry.id)}something-new`;
    for (const key of [gone, archive, unknown]) await store(key);
    expect((await compare({ now: Date.now() })).Files).not.toContain('✗');
    expect((await compare()).Files).toMatch(/✗ 2 folders without a video belong.*--repair deletes them/s);
    expect((await compare(repair)).Files).toMatch(/✓ 2 folders.*Repaired\..*✓ 1 object in storage has/s);
    expect([await exists(gone), await exists(archive)]).toEqual([false, false]);
    expect([await exists(unknown), await exists(sourceOf(entry)), await exists(videoOf(entry))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('stay where they’re most of what storage has, unless the operator insists', async () => {
    const key = `entries/${userId}/${uuidv7()}/thumbnail.jpg`;
    await store(key);
    expect((await compare(repair)).Files).toMatch(
      /was deleted, because.*another installation.*--delete-many/s,
    );
    expect(await exists(key)).toBe(true);
    await compare({ ...repair, mayDeleteMany: true });
    expect(await exists(key)).toBe(false);
  });

  it.each([
    [14, 300],
    [100, 100],
  ])('are all listed and stay if they’re videos: %i beside %i entries', async (unowned, owned) => {
    const held = { videoStatus: 'failed', videoKey: null, heldByPlan: true } as const;
    const made = await pLimit(4).map(Array(unowned + owned), () => makeStoredEntry(userId, held));
    const added = made.slice(0, unowned);
    // As a database does that's restored from a backup made before these.
    await db()
      .delete(entries)
      .where(
        inArray(
          entries.id,
          added.map(({ id }) => id),
        ),
      );
    const { Files = '' } = await compare(repair);
    expect(Files).toMatch(new RegExp(`^✗ ${unowned} folders in storage have videos .*Copy them before`, 's'));
    expect(added.filter(({ id }) => !Files.includes(entryPrefix(userId, id)))).toEqual([]);
    const sources = () => Promise.all(added.map((entry) => exists(sourceOf(entry))));
    expect(await sources()).toEqual(Array(unowned).fill(true));
    await compare({ ...repair, mayDeleteMany: true });
    expect(await compare()).toEqual({});
    expect(await sources()).toEqual(Array(unowned).fill(false));
  });

  it('stay if only the copy that plays is left of a video', async () => {
    await Promise.all([makeStoredEntry(userId), makeStoredEntry(userId)]);
    const key = `entries/${userId}/${uuidv7()}/video.mp4`;
    await store(key);
    expect((await compare(repair)).Files).toMatch(/^✗ 1 folder in storage has a video/);
    expect(await exists(key)).toBe(true);
  });

  it('are compared for some accounts alone', async () => {
    const [mine, other] = [
      `entries/019a${uuidv7().slice(4)}/${uuidv7()}/source`,
      `entries/5${uuidv7().slice(1)}/${uuidv7()}/source`,
    ];
    await store(mine);
    await store(other);
    expect((await compare({ only: '019a', ...repair, mayDeleteMany: true })).Files).toContain('1 folder');
    expect([await exists(mine), await exists(other)]).toEqual([false, true]);
  });
});

it('deletes temporary files of finished jobs, but not of a running one', async () => {
  const [done, running] = [await makeStoredEntry(userId), await makeStoredEntry(userId)];
  for (const { id } of [done, running]) await store(entryKey(userId, id, 'speech-0.pcm'));
  await store(entryKey(userId, done.id, 'small.mp4'));
  await db().insert(entryJobs).values({ entryId: running.id, kind: 'video', holder: 'somebody' });
  expect((await compare(repair)).Files).toMatch(/✗ 3 temporary files.*Repaired 2\..*Run this again later/s);
  expect(await exists(entryKey(userId, done.id, 'speech-0.pcm'))).toBe(false);
  expect(await exists(entryKey(userId, done.id, 'small.mp4'))).toBe(false);
  expect(await exists(entryKey(userId, running.id, 'speech-0.pcm'))).toBe(true);
});

it('marks an archive as failed whose file is gone', async () => {
  const archive = { userId, status: 'ready' as const, fileName: 'Daylight.zip', notify: false, bytes: 10 };
  const [whole, gone, begun] = [uuidv7(), uuidv7(), uuidv7()];
  const rowsOfArchives = [
    { id: whole, ...archive },
    { id: gone, ...archive },
    { id: begun, ...archive, status: 'preparing' as const },
  ];
  await db().insert(exports).values(rowsOfArchives);
  await store(`exports/${userId}/${whole}/archive.zip`);
  await store(`exports/${userId}/${begun}/part.zip`, 5);
  expect((await compare(repair)).Files).toMatch(/^✓ 1 archive for download is missing[^✗]*$/);
  const rows = await db().select().from(exports);
  expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
    ...{ [whole]: 'ready', [gone]: 'failed', [begun]: 'preparing' },
  });
});
