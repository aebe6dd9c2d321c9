import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { journalPage } from '@/lib/journal/entries/gallery';
import { removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { search } from '@/lib/journal/search/service';
import { deleteTag } from '@/lib/journal/tags/deletion';
import { makeTag } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { getRandomEntry, hideMemory, listHidden, onThisDay, unhideMemory } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('memories', () => {
  it('are entries of this day in earlier years, backdated ones at once', async () => {
    const { id: userId } = await makeUser();
    const { id: other } = await makeUser();
    await makeEntry(other, { date: '2020-06-15' });
    const old = await makeEntry(userId, { date: '1980-06-15' });
    const newer = await makeEntry(userId, { date: '2025-06-15' });
    for (const date of ['2026-06-15', '2025-06-14', '2025-07-15']) await makeEntry(userId, { date });
    const found = await onThisDay(userId, { year: 2026, month: 6, day: 15 });
    expect(found.map(({ entry }) => entry.id)).toEqual([newer.id, old.id]);
  });

  it('of a leap day come in leap years only, and of 28 February only its own', async () => {
    const { id: userId } = await makeUser();
    const leap = await makeEntry(userId, { date: '2020-02-29' });
    await makeEntry(userId, { date: '2023-02-28' });
    const found = await onThisDay(userId, { year: 2024, month: 2, day: 29 });
    expect(found.map(({ entry }) => entry.id)).toEqual([leap.id]);
  });

  it('are one per year, preferably one that somebody speaks in, with what was said and heard', async () => {
    const { id: userId } = await makeUser();
    const silent = await makeEntry(userId, { date: '2024-06-15' });
    const spoken = await makeEntry(userId, { date: '2025-06-15' });
    await makeEntry(userId, { date: '2025-06-15' });
    const words = 'I carried the bulbs anyway.'
      .split(' ')
      .map((word, at): StoredWord => [word, at, at + 0.5]);
    await db().insert(transcripts).values({ entryId: spoken.id, revision: 0, words });
    await db().insert(previews).values({ entryId: spoken.id, waveform: 'AP8=' });
    await db().update(entries).set({ language: 'en' }).where(eq(entries.id, spoken.id));
    const found = await onThisDay(userId, { year: 2026, month: 6, day: 15 });
    expect(found.map(({ entry }) => entry.id)).toEqual([spoken.id, silent.id]);
    expect(found[0]?.words.map(({ word }) => word).join(' ')).toBe('I carried the bulbs anyway.');
    expect(found[0]).toMatchObject({
      language: 'en',
      waveform: 'AP8=',
      videoUrl: `/api/v1/entry/${spoken.id}/video?v=video.mp4`,
    });
    expect(found[1]?.words).toEqual([]);
  });
});

describe('a surprise', () => {
  it('is any of the entries, and nothing in an empty journal', async () => {
    const { id: userId } = await makeUser();
    for (let day = 1; day <= 9; day += 1)
      await makeEntry(userId, { title: `${day}`, date: `2026-01-0${day}` });
    await makeEntry((await makeUser()).id, { date: '2019-01-01' });
    const titles = new Set<string>();
    for (let n = 0; n < 60; n += 1) titles.add((await getRandomEntry(userId))?.title ?? '');
    expect(titles.size).toBeGreaterThan(3);
    expect(titles.has('')).toBe(false);
    expect(await getRandomEntry((await makeUser()).id)).toBeNull();
  });

  it('is never a hidden one, wherever the others are', async () => {
    const { id: userId } = await makeUser();
    await makeEntry(userId, { title: 'kept', date: '2020-05-05' });
    const { id: first } = await makeEntry(userId, { date: '2015-05-05' });
    const { id: last } = await makeEntry(userId, { date: '2025-05-05' });
    for (const entryId of [first, last]) await hideMemory(userId, { entryId });
    for (let n = 0; n < 20; n += 1) expect((await getRandomEntry(userId))?.title).toBe('kept');
  });
});

describe('what is hidden', () => {
  const today = { year: 2026, month: 6, day: 15 };
  const titles = async (userId: string) => (await onThisDay(userId, today)).map(({ entry }) => entry.title);

  /** Three memories, the first with a tag. */
  async function remembered() {
    const { id: userId } = await makeUser();
    const tagId = uuidv7();
    await db().insert(tags).values({ id: tagId, userId, name: 'Sun' });
    const ids: string[] = [];
    for (const year of [2025, 2024, 2023]) {
      const { id } = await makeEntry(userId, { title: `sunny ${year}`, date: `${year}-06-15` });
      ids.push(id);
    }
    await db()
      .insert(entryTags)
      .values({ entryId: ids[0] ?? '', tagId });
    return { userId, tagId, ids };
  }

  it('is left out by entry, tag and date until it is shown again, and stays in journal and search', async () => {
    const { userId, tagId, ids } = await remembered();
    const byTag = await hideMemory(userId, { tagId });
    expect(byTag).toMatchObject({ tag: { id: tagId, name: 'Sun' }, entry: null, date: null });
    expect(await titles(userId)).toEqual(['sunny 2024', 'sunny 2023']);
    await hideMemory(userId, { date: { year: 2024, month: 6, day: 15 } });
    expect(await titles(userId)).toEqual(['sunny 2023']);
    const byEntry = await hideMemory(userId, { entryId: ids[2] ?? '' });
    expect(byEntry.entry).toMatchObject({ title: 'sunny 2023', date: { year: 2023, month: 6, day: 15 } });
    expect(await titles(userId)).toEqual([]);
    expect(await getRandomEntry(userId)).toBeNull();
    expect((await journalPage(userId, 1)).total).toBe(3);
    const { results } = await search(userId, { query: 'sunny', categories: [], limit: 30 });
    expect(results).toHaveLength(3);
    const hidden = await listHidden(userId);
    expect(hidden.map(({ entry, tag, date }) => entry?.title ?? tag?.name ?? date?.year)).toEqual([
      'sunny 2023',
      2024,
      'Sun',
    ]);
    for (const { id } of hidden) await unhideMemory(userId, id);
    expect(await titles(userId)).toEqual(['sunny 2025', 'sunny 2024', 'sunny 2023']);
    await expect(unhideMemory(userId, byTag.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is the same when it is hidden twice', async () => {
    const { userId, ids } = await remembered();
    const targets = [{ entryId: ids[0] ?? '' }, { date: { year: 2024, month: 6, day: 15 } }];
    for (const target of targets) {
      const [once, again] = await Promise.all([hideMemory(userId, target), hideMemory(userId, target)]);
      expect(again).toEqual(once);
    }
    expect(await listHidden(userId)).toHaveLength(2);
  });

  it.each(['tagId', 'entryId'] as const)(
    'isn’t there if it’s permanently deleted at the same moment: %s',
    async (kind) => {
      const { id: userId } = await makeUser();
      const { id: entryId } = await makeEntry(userId, { videoStatus: 'uploading' });
      const ids = { entryId, tagId: await makeTag(userId, 'Sun') };
      const { waited, outcome } = await duringTransaction(
        (tx) =>
          kind === 'tagId'
            ? tx.delete(tags).where(eq(tags.id, ids.tagId))
            : tx.delete(entries).where(eq(entries.id, entryId)),
        () => hideMemory(userId, { [kind]: ids[kind] } as { tagId: string } | { entryId: string }),
      );
      expect([waited, outcome]).toMatchObject([true, { status: 'rejected', reason: { code: 'not_found' } }]);
    },
  );

  it('goes with its tag, and comes back with an entry from the trash', async () => {
    const { userId, tagId, ids } = await remembered();
    const entryId = ids[1] ?? '';
    await hideMemory(userId, { tagId });
    await hideMemory(userId, { entryId });
    await deleteTag(userId, tagId);
    await removeEntry(userId, entryId);
    expect(await listHidden(userId)).toEqual([]);
    await restoreEntry(userId, entryId);
    expect(await titles(userId)).toEqual(['sunny 2025', 'sunny 2023']);
    expect(await listHidden(userId)).toHaveLength(1);
  });

  it("is only what is one's own", async () => {
    const { userId, tagId, ids } = await remembered();
    const { id: stranger } = await makeUser();
    for (const target of [{ entryId: ids[0] ?? '' }, { tagId }]) {
      await expect(hideMemory(stranger, target)).rejects.toMatchObject({ code: 'not_found' });
    }
    const { id } = await hideMemory(userId, { tagId });
    await hideMemory(stranger, { date: { year: 2024, month: 6, day: 15 } });
    await expect(unhideMemory(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listHidden(stranger)).toHaveLength(1);
    expect(await titles(userId)).toEqual(['sunny 2024', 'sunny 2023']);
  });
});
