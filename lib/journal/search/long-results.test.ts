import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { transcripts } from '@/db/schema/transcripts';
import { removeEntry } from '@/lib/journal/entries/trash';
import { setEntryTags } from '@/lib/journal/tags/service';
import { makeEntryWithContent, makeTag } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { search, summarizeSearch } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let user: string;
let tag: string;

const TITLED = 8;
const MATCHES = 230;

/** The day so many days before the end of 2025, as `YYYY-MM-DD`. */
const daysBefore = (days: number) =>
  new Date(Date.UTC(2025, 11, 31) - days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  services = await startLocalServices();
  user = (await makeUser()).id;
  tag = await makeTag(user, 'Sea');
  // Some of the same day, and the titles that match among the oldest.
  for (let nth = 0; nth < MATCHES; nth += 1) {
    await makeEntryWithContent(user, {
      title: nth >= MATCHES - TITLED ? 'Harbour' : 'A day',
      words: `${'harbour '.repeat(1 + (nth % 3))} walk`,
      date: daysBefore(Math.floor(nth / 4) * 9),
    });
  }
  await makeEntryWithContent(user, { title: 'Elsewhere', words: 'a mountain', date: '2024-01-01' });
});
afterAll(() => services.end());

const all = { query: 'harbour', categories: [] };

async function pagesOf(limit: number, more: Partial<Parameters<typeof search>[1]> = {}) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await search(user, { ...all, ...more, limit, cursor });
    pages.push(page);
    cursor = page.next ?? undefined;
  } while (cursor);
  return pages;
}

describe('more matches than are ranked', () => {
  it.each([7, 30, 100])('reaches each one once, %i at a time, with the exact total', async (limit) => {
    const pages = await pagesOf(limit);
    const ids = pages.flatMap(({ results }) => results.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([MATCHES, MATCHES]);
    expect(pages).toHaveLength(Math.ceil(MATCHES / limit));
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([MATCHES]));
    expect(ids).toEqual((await pagesOf(100)).flatMap(({ results }) => results.map(({ id }) => id)));
  });

  it('ranks the first hundred, titles first, and lists the others from newest to oldest', async () => {
    const found = (await pagesOf(100)).flatMap(({ results }) => results);
    expect(found.slice(0, TITLED).map(({ title }) => title)).toEqual(Array(TITLED).fill('Harbour'));
    const spoken = ({ matches }: (typeof found)[number]) => matches[0]?.marks.length ?? 0;
    const ranked = found.slice(TITLED, 100).map(spoken);
    expect(ranked).toEqual([...ranked].sort((one, other) => other - one));
    const dayOf = ({ date }: (typeof found)[number]) => date.year * 10_000 + date.month * 100 + date.day;
    const others = found.slice(100);
    // Ids begin with the time.
    const fromNewest = others.toSorted((a, b) => dayOf(b) - dayOf(a) || (a.id < b.id ? 1 : -1));
    expect(others.map(({ id }) => id)).toEqual(fromNewest.map(({ id }) => id));
    const [newestLeft] = others.map(dayOf);
    for (const one of found.slice(TITLED, 100)) expect(dayOf(one)).toBeGreaterThanOrEqual(newestLeft ?? 0);
  });

  it('neither repeats nor skips one when entries are added and deleted between pages', async () => {
    const before = (await pagesOf(100)).flatMap(({ results }) => results.map(({ id }) => id));
    const seen: string[] = [];
    const added: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(user, { ...all, limit: 30, cursor });
      seen.push(...page.results.map(({ id }) => id));
      cursor = page.next ?? undefined;
      added.push(await makeEntryWithContent(user, { words: 'harbour harbour', date: '2025-12-31' }));
    } while (cursor);
    expect(seen.filter((id) => !added.includes(id)).sort()).toEqual(before.sort());
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of added) await removeEntry(user, id);
  });

  it('counts only if it’s asked to, unless it knows', async () => {
    expect((await search(user, { ...all, limit: 30, count: false })).total).toBeNull();
    expect((await search(user, { query: 'mountain', categories: [], limit: 30, count: false })).total).toBe(
      1,
    );
  });

  it('pages through a tag’s entries and corrected typos, too', async () => {
    const pages = await pagesOf(40, { query: 'harboour' });
    expect(new Set(pages.flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(MATCHES);
    const some = pages.flatMap(({ results }) => results.map(({ id }) => id)).slice(0, 120);
    for (const id of some) await setEntryTags(user, id, [tag]);
    const tagged = await pagesOf(50, { query: '', categories: [tag] });
    expect(tagged.flatMap(({ results }) => results.map(({ id }) => id)).sort()).toEqual(some.sort());
    expect(tagged[0]?.total).toBe(120);
  });
});

describe('the summary', () => {
  it('counts by year, newest first, whatever the dates, and within them', async () => {
    const { total, years } = await summarizeSearch(user, all);
    expect(total).toBe(MATCHES);
    expect(years.map(({ year }) => year)).toEqual([2025, 2024]);
    expect(years.reduce((sum, { entries: count }) => sum + count, 0)).toBe(MATCHES);
    const of2024 = years[1]?.entries ?? 0;
    const within = { ...all, from: '2024-01-01', to: '2024-12-31' };
    expect(await summarizeSearch(user, within)).toMatchObject({ total: of2024, years });
    const [since, until] = [
      { ...all, from: '2025-01-01' },
      { ...all, to: '2024-12-31' },
    ];
    expect(await summarizeSearch(user, since)).toMatchObject({ total: MATCHES - of2024, years });
    expect(await summarizeSearch(user, until)).toMatchObject({ total: of2024, years });
    expect((await search(user, { ...within, limit: 1 })).total).toBe(of2024);
  });

  it('names the first entry that says all the words, whatever is only written', async () => {
    const { id: owner } = await makeUser();
    await makeEntryWithContent(owner, { title: 'Garden wall', words: 'a garden', date: '2019-01-01' });
    await makeEntryWithContent(owner, { words: 'no', note: 'garden wall', date: '2019-02-01' });
    const first = await makeEntryWithContent(owner, {
      title: 'The house has a yard.',
      words: 'a wall around the garden',
      date: '2020-05-02',
    });
    await makeEntryWithContent(owner, { words: 'the garden wall', date: '2021-05-02' });
    expect((await summarizeSearch(owner, { query: 'garden wal', categories: [] })).first_said).toEqual({
      id: first,
      title: 'The house has a yard.',
      date: { year: 2020, month: 5, day: 2 },
    });
    const phrase = await summarizeSearch(owner, { query: '"garden wall"', categories: [] });
    expect(phrase.first_said?.date.year).toBe(2021);
    expect(phrase.total).toBe(3);
    expect(
      (await summarizeSearch(owner, { query: 'garden -yard', categories: [] })).first_said?.date,
    ).toEqual({
      year: 2019,
      month: 1,
      day: 1,
    });
  });

  it('tells how typos were corrected, or what’s similar if nothing matches', async () => {
    const { id: owner } = await makeUser();
    await makeEntryWithContent(owner, { words: 'the old lighthouse by the sea' });
    await makeEntryWithContent(owner, { words: 'another lighthouse' });
    expect(await summarizeSearch(owner, { query: 'old lihgthouse', categories: [] })).toMatchObject({
      total: 1,
      spelling: 'old lighthouse',
      suggestion: null,
    });
    expect(await summarizeSearch(owner, { query: 'lighthouse', categories: [] })).toMatchObject({
      total: 2,
      spelling: null,
    });
    expect(await summarizeSearch(owner, { query: 'lihgthouse submarine', categories: [] })).toMatchObject({
      total: 0,
      spelling: null,
      suggestion: { query: 'lighthouse', entries: 2 },
    });
    expect(await summarizeSearch(owner, { query: 'zzzzzz', categories: [] })).toEqual({
      total: 0,
      years: [],
      first_said: null,
      spelling: null,
      suggestion: null,
    });
  });

  it('counts nobody else’s entries', async () => {
    const { id: other } = await makeUser();
    expect(await summarizeSearch(other, all)).toMatchObject({ total: 0, years: [], first_said: null });
  });
});

describe('what else results have', () => {
  it('tells how many more moments there are, and when the first of them is', async () => {
    const { id: owner } = await makeUser();
    const words = Array.from({ length: 160 }, (_, second) =>
      [10, 40, 70, 75, 110, 140].includes(second) ? 'kites' : `w${second}`,
    );
    await makeEntryWithContent(owner, { words: words.join(' '), tag: 'Sea' });
    const { results } = await search(owner, { query: 'kites', categories: [], limit: 5 });
    expect(results[0]?.matches.map(({ start_time }) => start_time)).toEqual([10, 40]);
    expect(results[0]?.more).toEqual({ count: 3, start_time: 70 });
    expect(results[0]?.tags.map(({ name }) => name)).toEqual(['Sea']);
    await db().delete(transcripts);
    expect((await search(owner, { query: 'sea', categories: [], limit: 5 })).results[0]?.more).toBeNull();
  });

  it('shows the whole sentence around a match if it isn’t too long', async () => {
    const { id: owner } = await makeUser();
    await makeEntryWithContent(owner, {
      words: 'It rained. The garden wall is finished, and it leans. We had lunch. Then we left.',
    });
    const { results } = await search(owner, { query: 'wall', categories: [], limit: 5 });
    expect(results[0]?.matches.map(({ text }) => text)).toEqual([
      'The garden wall is finished, and it leans.',
    ]);
    const [match] = results[0]?.matches ?? [];
    expect(match?.marks.map(([from, to]) => match.text.slice(from, to))).toEqual(['wall']);
  });
});
