import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { planDetails } from '@/lib/billing/plans/service';
import { journalRange } from '@/lib/journal/entries/gallery';
import { getEntry } from '@/lib/journal/entries/service';
import { removeEntries, removeEntry, restoreEntries } from '@/lib/journal/entries/trash';
import { deleteTag } from '@/lib/journal/tags/deletion';
import { createTag, listTags, setEntryTags } from '@/lib/journal/tags/service';
import { makeSpokenDays, readJournal } from '@/test/bulk-fixtures';
import { makeTag, searchEntryIds } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { changeDates, changeTags, undoDates, undoTags } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const error = (code: string) => expect.objectContaining({ code });
const NEW_YEAR = { year: 2026, month: 1, day: 1 };
const NO_TAGS = { add: [], remove: [], create: [] };
/** A plan with space for all of them. */
const makeReader = () => makeUser({ grantedPlan: 'Standard' });

/** Recounts an account's words and months from what searches can find. */
const recount = (userId: string) =>
  db().execute(sql`select search_recount(array[${userId}::uuid]), journal_recount(array[${userId}::uuid])`);

describe('500 entries of one year that share their words', () => {
  it('move to the trash and back, change dates and tags, and undo it all to the same state', async () => {
    const user = await makeReader();
    const ids = await makeSpokenDays(user.id, 500, 60);
    const kept = await makeTag(user.id, 'Kept');
    const taken = await makeTag(user.id, 'Taken');
    await changeTags(user.id, ids.slice(0, 250), { ...NO_TAGS, add: [taken] });
    await changeTags(user.id, ids.slice(100, 101), { ...NO_TAGS, add: [kept] });
    await db().delete(outbox);
    const before = await readJournal(user.id);

    await removeEntries(user.id, ids);
    expect((await planDetails(user.id)).videoCount).toBe(0);
    expect(await readJournal(user.id)).toMatchObject({ found: [], words: [], months: [] });
    const stops = await db().select().from(outbox);
    expect(new Set(stops.map(({ payload }) => JSON.parse(payload).data.entryId))).toEqual(new Set(ids));
    await restoreEntries(user.id, ids);
    expect(await readJournal(user.id)).toEqual(before);

    const dates = await changeDates(user.id, ids, { date: { year: 2019, month: 5, day: 1 } });
    const moved = await readJournal(user.id);
    expect(moved.months).toMatchObject([{ entries: 500, words: '30000' }]);
    await recount(user.id);
    expect(await readJournal(user.id)).toEqual(moved);
    await undoDates(user.id, dates);
    expect(await readJournal(user.id)).toEqual(before);

    const tags = await changeTags(user.id, ids, { add: [kept], remove: [taken], create: ['New', 'Newer'] });
    expect(tags.removed).toEqual([{ tag: taken, entries: expect.arrayContaining(ids.slice(0, 250)) }]);
    expect((await getEntry(user.id, ids[0] ?? '')).tags.map(({ name }) => name)).toEqual([
      'Kept',
      'New',
      'Newer',
    ]);
    expect(tags.added.find(({ tag }) => tag === kept)?.entries).toHaveLength(499);
    await undoTags(user.id, tags);
    expect(await readJournal(user.id)).toEqual(before);
  }, 60_000);
});

describe('an entry that isn’t theirs, is gone, or is still uploading', () => {
  it('is not found, and nothing changes', async () => {
    const [user, stranger] = [await makeReader(), await makeUser()];
    const own = (await makeEntry(user.id)).id;
    const trashed = (await makeEntry(user.id)).id;
    await removeEntry(user.id, trashed);
    const uploading = (await makeEntry(user.id, { videoStatus: 'uploading', videoKey: null })).id;
    const foreign = (await makeEntry(stranger.id)).id;
    const [tag, foreignTag] = [await makeTag(user.id, 'Mine'), await makeTag(stranger.id, 'Theirs')];
    const before = [await readJournal(user.id), await readJournal(stranger.id)];
    for (const id of [foreign, trashed, uploading, randomUUID()]) {
      const ids = [own, id];
      const undone = ids.map((one) => ({
        id: one,
        before: NEW_YEAR,
        after: { year: 2026, month: 1, day: 15 },
      }));
      const groups = [{ tag, entries: ids }];
      for (const attempt of [
        () => removeEntries(user.id, ids),
        () => restoreEntries(user.id, ids),
        () => restoreEntries(user.id, [trashed, own]),
        () => changeDates(user.id, ids, { days: -1 }),
        () => undoDates(user.id, undone),
        () => changeTags(user.id, ids, { ...NO_TAGS, add: [tag], create: ['Stray'] }),
        () => undoTags(user.id, { added: [], removed: groups, created: [tag] }),
        () => undoTags(user.id, { added: groups, removed: [], created: [] }),
        () => journalRange(user.id, { from: own, to: id }),
      ]) {
        await expect(attempt()).rejects.toEqual(error('not_found'));
      }
    }
    for (const change of [{ add: [foreignTag] }, { remove: [foreignTag] }, { add: [randomUUID()] }]) {
      await expect(changeTags(user.id, [own], { ...NO_TAGS, ...change })).rejects.toEqual(error('not_found'));
    }
    const theirs = [{ tag: foreignTag, entries: [own] }];
    for (const change of [{ added: theirs }, { removed: theirs }, { created: [foreignTag] }]) {
      const undo = undoTags(user.id, { added: [], removed: [], created: [], ...change });
      await expect(undo).rejects.toEqual(error('not_found'));
    }
    expect([await readJournal(user.id), await readJournal(stranger.id)]).toEqual(before);
  });
});

describe('moving entries to the trash', () => {
  it('happens once when several ask at the same time', async () => {
    const user = await makeReader();
    const ids = await makeSpokenDays(user.id, 20);
    const [first = '', ...others] = ids;
    const tries = await Promise.allSettled([
      removeEntries(user.id, ids),
      removeEntries(user.id, ids.toReversed()),
      removeEntries(user.id, [first]),
      removeEntry(user.id, first),
    ]);
    const lost = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const reason of lost) expect(reason).toEqual(error('not_found'));
    expect(tries.length - lost.length).toBeGreaterThan(0);
    const left = (await readJournal(user.id)).found.map((row) => row.entry_id).sort();
    expect([[], others.toSorted()]).toContainEqual(left);
    const state = await readJournal(user.id);
    await recount(user.id);
    expect(await readJournal(user.id)).toEqual(state);
  });

  it('is undone only if the plan has space for all of them', async () => {
    const user = await makeUser();
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await makeEntry(user.id)).id);
    await removeEntries(user.id, ids);
    for (let n = 0; n < 28; n += 1) await makeEntry(user.id);
    await expect(restoreEntries(user.id, ids)).rejects.toEqual(error('quota_reached'));
    expect((await planDetails(user.id)).videoCount).toBe(28);
    await restoreEntries(user.id, ids.slice(1));
    expect((await planDetails(user.id)).videoCount).toBe(30);
  });

  it('is undone only if the plan has time and bytes for all of them', async () => {
    const user = await makeUser();
    const hour = { durationMs: 3_600_000 };
    const long = [(await makeEntry(user.id, hour)).id, (await makeEntry(user.id, hour)).id];
    const big = [
      (await makeEntry(user.id, { bytes: 2.5e9 })).id,
      (await makeEntry(user.id, { bytes: 2e9 })).id,
    ];
    for (const ids of [long, big]) await removeEntries(user.id, ids);
    await makeEntry(user.id, { bytes: 1e9 });
    await expect(restoreEntries(user.id, big)).rejects.toEqual(error('quota_reached'));
    const two = (await makeEntry(user.id, { durationMs: 2 * 3_600_000 })).id;
    await expect(restoreEntries(user.id, long)).rejects.toEqual(error('quota_reached'));
    await removeEntries(user.id, [two]);
    await restoreEntries(user.id, long);
  });
});

describe('changing dates', () => {
  it('moves each by days, over the ends of months and years', async () => {
    const user = await makeReader();
    const leap = (await makeEntry(user.id, { date: '2024-02-28' })).id;
    const eve = (await makeEntry(user.id, { date: '2025-12-31' })).id;
    const dates = await changeDates(user.id, [leap, eve], { days: 1 });
    expect((await getEntry(user.id, leap)).date).toEqual({ year: 2024, month: 2, day: 29 });
    expect((await getEntry(user.id, eve)).date).toEqual(NEW_YEAR);
    await undoDates(user.id, dates);
    expect((await getEntry(user.id, eve)).date).toEqual({ year: 2025, month: 12, day: 31 });
  });

  it('refuses dates in the future, and to undo what has changed since', async () => {
    const user = await makeReader();
    const [old, late] = [await makeEntry(user.id, { date: '2020-01-01' }), await makeEntry(user.id)];
    const ids = [old.id, late.id];
    const before = await readJournal(user.id);
    await expect(changeDates(user.id, ids, { days: 1000 })).rejects.toEqual(error('validation_failed'));
    await expect(changeDates(user.id, ids, { days: -36_000 })).rejects.toEqual(error('validation_failed'));
    expect(await readJournal(user.id)).toEqual(before);
    const dates = await changeDates(user.id, ids, { date: NEW_YEAR });
    await db().update(entries).set({ date: '2026-02-02' }).where(eq(entries.id, late.id));
    await expect(undoDates(user.id, dates)).rejects.toEqual(error('conflict'));
    expect((await getEntry(user.id, old.id)).date).toEqual(NEW_YEAR);
  });
});

describe('changing tags', () => {
  it('finds entries by their new tags at once', async () => {
    const user = await makeReader();
    const ids = await makeSpokenDays(user.id, 3);
    const { created } = await changeTags(user.id, ids.slice(1), { ...NO_TAGS, create: ['Harbor'] });
    expect(await searchEntryIds(user.id, '', { categories: created })).toEqual(ids.slice(1));
  });

  it('creates nothing if a name is taken, whatever its case', async () => {
    const user = await makeReader();
    const { id } = await makeEntry(user.id);
    await createTag(user.id, 'Family', '#112233');
    const create = ['Friends', 'FAMILY'];
    await expect(changeTags(user.id, [id], { ...NO_TAGS, create })).rejects.toEqual(error('conflict'));
    expect(await listTags(user.id)).toHaveLength(1);
  });

  it('keeps a new tag on undo if another entry has it now, and can’t bring back a deleted one', async () => {
    const user = await makeReader();
    const [one, two] = [(await makeEntry(user.id)).id, (await makeEntry(user.id)).id];
    const gone = await makeTag(user.id, 'Gone');
    await setEntryTags(user.id, one, [gone]);
    const first = await changeTags(user.id, [one], { ...NO_TAGS, create: ['New'] });
    await setEntryTags(user.id, two, first.created);
    await undoTags(user.id, first);
    expect((await getEntry(user.id, one)).tags).toMatchObject([{ name: 'Gone' }]);
    expect((await getEntry(user.id, two)).tags).toMatchObject([{ name: 'New' }]);
    const second = await changeTags(user.id, [one], { ...NO_TAGS, remove: [gone] });
    await setEntryTags(user.id, one, [gone]);
    expect(await undoTags(user.id, second), 'it’s back already').toEqual([one]);
    await deleteTag(user.id, gone);
    await expect(undoTags(user.id, second)).rejects.toEqual(error('not_found'));
  });
});

it('lists a range of the gallery in either direction, narrowed down by its tag, and at most 500', async () => {
  const user = await makeReader();
  const ids = await makeSpokenDays(user.id, 501);
  const tag = await makeTag(user.id, 'Some');
  await changeTags(user.id, [ids[3], ids[5], ids[8]] as string[], { ...NO_TAGS, add: [tag] });
  const range = async (from: number, to: number, filter = {}) => {
    const rows = await journalRange(user.id, { from: ids[from] ?? '', to: ids[to] ?? '', ...filter });
    return rows.map(({ id }) => ids.indexOf(id));
  };
  expect(await range(2, 5)).toEqual([2, 3, 4, 5]);
  expect(await range(5, 3)).toEqual([3, 4, 5]);
  expect(await range(7, 7)).toEqual([7]);
  expect(await range(8, 3, { tag: [tag] })).toEqual([3, 5, 8]);
  expect(await range(0, 499)).toHaveLength(500);
  await expect(range(0, 500)).rejects.toEqual(error('validation_failed'));
  await expect(range(2, 8, { tag: [tag] })).rejects.toEqual(error('not_found'));
});
