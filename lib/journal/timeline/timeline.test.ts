import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryTags, notes, tags } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { getTimeline, getTimelineDays } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

/** Makes entries `0`, `1` and so on, newest first: four on each day, two of which were made in the same moment. */
async function makeDays(userId: string, count: number): Promise<string[]> {
  const made: { id: string; place: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const date = new Date(Date.UTC(2026, 0, 20 - Math.floor(n / 4))).toISOString().slice(0, 10);
    const createdAt = new Date(Date.UTC(2026, 1, 1, 10, n % 4 < 2 ? 0 : n % 4));
    const { id } = await makeEntry(userId, { date, createdAt });
    made.push({ id, place: `${date} ${createdAt.toISOString()} ${id}` });
  }
  return made.sort((a, b) => b.place.localeCompare(a.place)).map(({ id }) => id);
}

async function makeTag(userId: string, entryIds: string[]): Promise<string> {
  const id = uuidv7();
  await db().insert(tags).values({ id, userId, name: id });
  await db()
    .insert(entryTags)
    .values(entryIds.map((entryId) => ({ entryId, tagId: id })));
  return id;
}

const idsOf = ({ rows }: Awaited<ReturnType<typeof getTimeline>>) => rows.map(({ entry }) => entry.id);

describe('the timeline', () => {
  it('goes back and forth over days with several entries without losing or repeating any', async () => {
    const { id: owner } = await makeUser();
    await makeEntry((await makeUser()).id);
    const ids = await makeDays(owner, 17);
    const seen: string[] = [];
    let page = await getTimeline(owner, { limit: 3 });
    expect(page.hasLater).toBe(false);
    for (;;) {
      seen.push(...idsOf(page));
      if (!page.hasEarlier) break;
      page = await getTimeline(owner, { limit: 3, before: page.rows.at(-1)?.cursor });
      expect(page.hasLater).toBe(true);
    }
    expect(seen).toEqual(ids);
    const back: string[] = idsOf(page);
    while (page.hasLater) {
      page = await getTimeline(owner, { limit: 3, after: page.rows[0]?.cursor });
      back.unshift(...idsOf(page));
    }
    expect(back).toEqual(ids);
  });

  it('says which question an entry answers', async () => {
    const { id: owner } = await makeUser();
    await makeEntry(owner, { date: '2026-01-01' });
    await makeEntry(owner, { date: '2026-01-02', question: 'What made you laugh?' });
    const { rows } = await getTimeline(owner, { limit: 5 });
    expect(rows.map(({ question }) => question)).toEqual(['What made you laugh?', null]);
  });

  it('opens at a day, and at the oldest entry if that day was before it', async () => {
    const { id: owner } = await makeUser();
    const ids = await makeDays(owner, 12);
    const middle = await getTimeline(owner, { limit: 5, at: '2026-01-19' });
    expect(idsOf(middle)).toEqual(ids.slice(4, 9));
    expect(middle).toMatchObject({ hasEarlier: true, hasLater: true });
    const last = await getTimeline(owner, { limit: 5, at: '2026-01-18' });
    expect(last).toMatchObject({ hasEarlier: false, hasLater: true });
    const before = await getTimeline(owner, { limit: 5, at: '1999-12-31' });
    expect(idsOf(before)).toEqual(ids.slice(-5));
    expect(before).toMatchObject({ hasEarlier: false, hasLater: true });
    expect(await getTimeline(owner, { limit: 5, at: '2030-01-01' })).toMatchObject({ hasLater: false });
  });

  it('is narrowed down to several tags, notes, and a month, and so are its months', async () => {
    const { id: owner } = await makeUser();
    const ids = await makeDays(owner, 12);
    const [a, b] = [await makeTag(owner, ids.slice(0, 8)), await makeTag(owner, ids.slice(6))];
    await db()
      .insert(notes)
      .values([7, 11].map((n) => ({ id: uuidv7(), entryId: ids[n] ?? '', text: 'So true' })));
    const both = await getTimeline(owner, { limit: 5, tag: [a, b] });
    expect(idsOf(both)).toEqual(ids.slice(6, 8));
    expect(both.months).toEqual([{ month: '2026-01', entries: 2, seconds: 120 }]);
    expect(both.rows.map((row) => row.notes)).toEqual([0, 1]);
    const page = await getTimeline(owner, { limit: 2, tag: [a], before: both.rows[0]?.cursor });
    expect(idsOf(page)).toEqual(ids.slice(7, 8));
    const later = await getTimeline(owner, { limit: 2, tag: [a], after: both.rows[0]?.cursor });
    expect(idsOf(later)).toEqual(ids.slice(4, 6));
    expect(idsOf(await getTimeline(owner, { limit: 5, notes: true }))).toEqual([ids[7], ids[11]]);
    expect(idsOf(await getTimeline(owner, { limit: 5, month: '2025' }))).toEqual([]);
    expect(idsOf(await getTimeline(owner, { limit: 20, month: '2026-01' }))).toEqual(ids);
    const foreign = await makeTag((await makeUser()).id, ids.slice(0, 1));
    expect(idsOf(await getTimeline((await makeUser()).id, { limit: 5, tag: [foreign] }))).toEqual([]);
  });

  it('is narrowed down to common tags as to rare ones', async () => {
    const { id: owner } = await makeUser();
    const ids = await makeDays(owner, 204);
    const [common, more] = [await makeTag(owner, ids.slice(1, 202)), await makeTag(owner, ids.slice(2))];
    expect(idsOf(await getTimeline(owner, { limit: 2, tag: [common] }))).toEqual(ids.slice(1, 3));
    const page = await getTimeline(owner, { limit: 2, tag: [common, more] });
    expect(idsOf(page)).toEqual(ids.slice(2, 4));
    const next = await getTimeline(owner, { limit: 2, tag: [common, more], before: page.rows[1]?.cursor });
    expect(idsOf(next)).toEqual(ids.slice(4, 6));
  });

  it('has each entry’s best sentence, and the sums of the whole month', async () => {
    const { id: owner } = await makeUser();
    const { id } = await makeEntry(owner, { date: '2026-01-20' });
    const words = 'I left the bulbs anyway in the deep snow.'.split(' ');
    await db()
      .insert(transcripts)
      .values({ entryId: id, revision: 0, words: words.map((word, n) => [word, n, n + 0.5]) });
    await makeEntry(owner, { date: '2026-01-02', durationMs: null });
    await makeEntry(owner, { date: '2026-02-02', trashedAt: new Date() });
    const { rows, months } = await getTimeline(owner, { limit: 1 });
    expect(rows[0]?.words.map(({ word }) => word)).toEqual(words);
    expect(months).toEqual([{ month: '2026-01', entries: 2, seconds: 60 }]);
  });

  it('rejects what isn’t a cursor', async () => {
    const { id: owner } = await makeUser();
    await expect(getTimeline(owner, { limit: 1, before: 'nothing' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('knows the days of a year, and which of them fit the filter', async () => {
    const { id: owner } = await makeUser();
    const ids = await makeDays(owner, 5);
    await makeEntry(owner, { date: '2025-12-31' });
    const tag = await makeTag(owner, ids.slice(4));
    expect(await getTimelineDays(owner, 2026, { tag: [tag] })).toEqual([
      { day: '2026-01-19', seconds: 60, matches: true },
      { day: '2026-01-20', seconds: 240, matches: false },
    ]);
    expect(await getTimelineDays(owner, 2025, {})).toEqual([
      { day: '2025-12-31', seconds: 60, matches: true },
    ]);
    expect(await getTimelineDays(owner, 2024, {})).toEqual([]);
  });
});
