import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { anyDay, type FilterEntry, makeFilterJournal, newestFirst, tagIndexes } from '@/test/filter-fixtures';
import * as contract from './contract';
import { search, summarizeSearch } from './service';

let end: () => Promise<void>;
let journal: Awaited<ReturnType<typeof makeFilterJournal>>;
beforeAll(async () => {
  end = await useFreshDatabase();
  journal = await makeFilterJournal();
});
afterAll(() => end());

const has = (text: string, word: string) => text.toLowerCase().split(' ').includes(word);
const isWritten = (entry: FilterEntry, word: string) =>
  [entry.title, entry.words, ...entry.notes].some((text) => has(text, word));

/** What to search for, and which entries that leaves. No tag has any of these words. */
const QUERIES: Record<string, (entry: FilterEntry) => boolean> = {
  '': () => true,
  harbor: (entry) => isWritten(entry, 'harbor'),
  'lighthouse harbor': (entry) => isWritten(entry, 'harbor') && isWritten(entry, 'lighthouse'),
  'harbor -lighthouse': (entry) => isWritten(entry, 'harbor') && !isWritten(entry, 'lighthouse'),
  '"the harbor"': (entry) =>
    [entry.title, entry.words, ...entry.notes].some((text) => /the harbor/i.test(text)),
  '-harbor': (entry) => !isWritten(entry, 'harbor'),
};

/** A search for `harbor` puts titles first, then what's said, then notes; more kinds come before fewer. */
const score = (entry: FilterEntry): number =>
  (has(entry.title, 'harbor') ? 4 : 0) +
  (has(entry.words, 'harbor') ? 2 : 0) +
  (entry.notes.some((text) => has(text, 'harbor')) ? 1 : 0);

const wanted = fc.record({
  query: fc.constantFrom(...Object.keys(QUERIES)),
  tags: tagIndexes,
  from: fc.option(anyDay, { nil: '' }),
  to: fc.option(anyDay, { nil: '' }),
  count: fc.constantFrom('true', 'false'),
});
type Wanted = typeof wanted extends fc.Arbitrary<infer T> ? T : never;

/** The parameters as a client sends them. */
function sent({ query, tags, from, to }: Wanted) {
  return { query, categories: tags.map((index) => journal.tags[index]).join(), from, to };
}

/** What a search finds, without its dates, newest first. */
function expectedEntries({ query, tags }: Wanted): FilterEntry[] {
  if (query === '' && tags.length === 0) return [];
  const isFound = QUERIES[query] ?? (() => false);
  return journal.listed.filter(
    (entry) => isFound(entry) && tags.every((index) => entry.tags.includes(journal.tags[index] ?? '')),
  );
}

const within = ({ from, to }: Wanted, found: FilterEntry[]) =>
  found.filter(({ date }) => (!from || date >= from) && (!to || date <= to));

async function readPages(query: object) {
  const [pages, totals] = [[] as string[][], [] as (number | null)[]];
  let cursor: string | undefined;
  do {
    const page = await search(journal.userId, contract.search.query.parse({ ...query, cursor }));
    pages.push(page.results.map(({ id }) => id));
    totals.push(page.total);
    cursor = page.next ?? undefined;
  } while (cursor && pages.length < 100);
  return { pages, totals };
}

it('finds what words, tags, and dates leave, each entry once in its order, whatever a page’s size', async () => {
  await fc.assert(
    fc.asyncProperty(wanted, fc.constantFrom(1, 2, 3, 5, 33, 100), async (given, limit) => {
      const expected = within(given, expectedEntries(given));
      if (given.query === 'harbor') expected.sort((a, b) => score(b) - score(a) || newestFirst(a, b));
      const { pages, totals } = await readPages({ ...sent(given), count: given.count, limit });
      const ids = pages.flat();
      const inOrder = ['', '-harbor', 'harbor'].includes(given.query);
      const comparable = (list: string[]) => (inOrder ? list : [...list].sort());
      expect(comparable(ids)).toEqual(comparable(expected.map(({ id }) => id)));
      expect(pages.map((page) => page.length)).toEqual(
        expected.length === 0
          ? [0]
          : Array.from({ length: Math.ceil(expected.length / limit) }, (_, n) =>
              Math.min(limit, expected.length - n * limit),
            ),
      );
      // Fewer matches than are ranked are known without counting.
      expect(totals).toEqual(totals.map(() => expected.length));
    }),
    { numRuns: 60 },
  );
});

it('sums up what it finds by year, and by the words that are said', async () => {
  await fc.assert(
    fc.asyncProperty(wanted, async (given) => {
      const everywhere = expectedEntries(given);
      const summary = await summarizeSearch(
        journal.userId,
        contract.summarizeSearch.query.parse(sent(given)),
      );
      expect(summary.total).toBe(within(given, everywhere).length);
      const years = [...new Set(everywhere.map(({ date }) => Number(date.slice(0, 4))))];
      expect(summary.years).toEqual(
        years.map((year) => ({
          year,
          entries: everywhere.filter(({ date }) => date.startsWith(`${year}-`)).length,
        })),
      );
      const words = given.query === '-harbor' ? [] : (given.query.match(/(?<![-\w])\w+/g) ?? []);
      const says = ({ words: said }: FilterEntry) =>
        given.query.startsWith('"') ? said.includes('the harbor') : words.every((word) => has(said, word));
      const first = words.length === 0 ? undefined : everywhere.filter(says).at(-1);
      expect(summary.first_said?.id).toBe(first?.id);
      // If its dates leave nothing, a search suggests its commonest word of four letters or more.
      const counts = words
        .filter((word) => word.length > 3)
        .map((word) => journal.listed.filter((entry) => isWritten(entry, word)).length);
      const suggested = summary.total === 0 && counts.length > 0 ? Math.max(...counts) : null;
      expect(summary.suggestion?.entries ?? null).toBe(suggested);
      expect(summary.spelling).toBeNull();
    }),
    { numRuns: 60 },
  );
});

it('finds each entry of a day if the search begins and ends with it', async () => {
  for (const query of ['harbor', '']) {
    const [day] = journal.listed.filter((entry) => entry.tags.length === 3 && isWritten(entry, 'harbor'));
    if (!day) throw new Error('no entry has all tags');
    const given = { query, tags: [0, 1, 2], from: day.date, to: day.date, count: 'true' as const };
    const { pages } = await readPages({ ...sent(given), limit: 100 });
    expect(pages.flat()).toEqual(within(given, expectedEntries(given)).map(({ id }) => id));
    expect(pages.flat()).toContain(day.id);
  }
});

it('finds nothing by another account’s tag, alone or with one’s own', async () => {
  for (const categories of [[journal.strangersTag], [journal.strangersTag, journal.tags[1]]]) {
    for (const query of ['', 'harbor']) {
      expect(await readPages({ query, categories, limit: 10 })).toEqual({ pages: [[]], totals: [0] });
    }
  }
});

it('finds nothing by a word without a letter, and everything by tags beside what is no word', async () => {
  const categories = [journal.tags[0]];
  // A letter to Unicode, which the index overlooks.
  expect(await readPages({ query: 'ʻ', categories, limit: 100 })).toEqual({ pages: [[]], totals: [0] });
  const tagged = journal.listed.filter(({ tags }) => tags.includes(journal.tags[0] ?? ''));
  const { pages } = await readPages({ query: '—', categories, limit: 100 });
  expect(pages).toEqual([tagged.map(({ id }) => id)]);
});

it('reads what forms and links send: tags in a list or several, the first query, and dates left empty', () => {
  const read = (query: object) => contract.search.query.parse(query);
  expect(
    read({ query: ['sea', 'boat'], categories: ['a,b', ' c ', ''], from: '', to: '2026-01-01' }),
  ).toEqual({
    ...{ query: 'sea', categories: ['a', 'b', 'c'], from: undefined, to: '2026-01-01' },
    ...{ limit: 30, count: true },
  });
  expect(read({ count: 'false' })).toMatchObject({ query: '', categories: [], count: false });
  const isTaken = (from: string) => contract.search.query.safeParse({ from }).success;
  expect(['2024-02-29', '2026-02-29', '2026-2-01', '0000-01-01'].map(isTaken)).toEqual([
    ...[true, false],
    ...[false, false],
  ]);
});
