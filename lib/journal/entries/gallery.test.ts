import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryTags, notes, tags } from '@/db/schema/entries';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { countMatches, journalFilters, journalMonth, journalPage } from './gallery';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;
let tagId: string;

async function makeTag(owner: string, name: string): Promise<string> {
  const id = uuidv7();
  await db().insert(tags).values({ id, userId: owner, name });
  return id;
}

/** 25 entries, on the last days of 2025 and the first of 2026; every fifth one is tagged. */
beforeAll(async () => {
  services = await startLocalServices();
  userId = (await makeUser()).id;
  tagId = await makeTag(userId, 'Fifth');
  for (let n = 0; n < 25; n += 1) {
    const date = new Date(Date.UTC(2025, 11, 20 + n)).toISOString().slice(0, 10);
    const { id } = await makeEntry(userId, { title: date, date });
    if (n % 5 === 0) await db().insert(entryTags).values({ entryId: id, tagId });
  }
  await makeEntry((await makeUser()).id, { date: '2019-01-01' });
  await makeEntry(userId, { date: '2018-01-01', trashedAt: new Date() });
});
afterAll(() => services.end());

describe('the gallery', () => {
  it('has every entry on exactly one page, newest first', async () => {
    const titles: string[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const read = await journalPage(userId, page);
      expect([read.page, read.pages, read.total]).toEqual([page, 5, 25]);
      titles.push(...read.entries.map(({ title }) => title));
    }
    expect(titles).toEqual([...new Set(titles)].sort().reverse());
    expect(titles).toHaveLength(25);
    expect((await journalPage(userId, 999_999)).page).toBe(5);
  });

  it('is narrowed down to a month and a tag', async () => {
    expect(await journalPage(userId, 1, { month: '2026-01' })).toMatchObject({ total: 13, pages: 3 });
    const both = await journalPage(userId, 1, { month: '2025-12', tag: [tagId] });
    expect(both.entries.map(({ title }) => title)).toEqual(['2025-12-30', '2025-12-25', '2025-12-20']);
    expect(await journalPage(userId, 1, { tag: [uuidv7()] })).toMatchObject({
      total: 0,
      pages: 1,
      entries: [],
    });
  });

  it('is narrowed down to a year, several tags, and entries with notes', async () => {
    expect(await journalPage(userId, 1, { month: '2025' })).toMatchObject({ total: 12, pages: 2 });
    const { id: owner } = await makeUser();
    const [one, two] = [await makeTag(owner, 'One'), await makeTag(owner, 'Two')];
    const both = await makeEntry(owner, { title: 'both', date: '2026-01-02' });
    const first = await makeEntry(owner, { title: 'first', date: '2026-01-03' });
    await db()
      .insert(entryTags)
      .values([
        { entryId: both.id, tagId: one },
        { entryId: both.id, tagId: two },
        { entryId: first.id, tagId: one },
      ]);
    await db().insert(notes).values({ id: uuidv7(), entryId: first.id, text: 'So true' });
    const titles = async (filter: Parameters<typeof journalPage>[2]) =>
      (await journalPage(owner, 1, filter)).entries.map(({ title }) => title);
    expect(await titles({ tag: [one] })).toEqual(['first', 'both']);
    expect(await titles({ tag: [one, two] })).toEqual(['both']);
    expect(await titles({ notes: true })).toEqual(['first']);
    expect(await titles({ tag: [one, two], notes: true })).toEqual([]);
    expect(await countMatches(owner, { tag: [one], month: '2026' })).toBe(2);
    expect(await countMatches(owner, {})).toBe(2);
  });

  it('says which months and tags there are, and shows a month', async () => {
    const { months, tags: known, total } = await journalFilters(userId);
    expect(total).toBe(25);
    expect(months).toEqual(['2026-01', '2025-12']);
    expect(known.map(({ name }) => name)).toEqual(['Fifth']);
    const december = await journalMonth(userId, '2025-12');
    expect(december.map(({ date }) => date.day)).toEqual([31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    expect(await journalMonth(userId, '2018-01')).toEqual([]);
  });
});
