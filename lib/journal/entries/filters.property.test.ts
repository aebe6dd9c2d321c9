import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRange } from '@/lib/journal/bulk/contract';
import { listTimeline, listTimelineDays } from '@/lib/journal/timeline/contract';
import { getTimeline, getTimelineDays } from '@/lib/journal/timeline/service';
import { useFreshDatabase } from '@/test/app-database';
import { codeOf } from '@/test/error-code';
import { anyDay, DATES, type FilterEntry, makeFilterJournal, tagIndexes } from '@/test/filter-fixtures';
import * as contract from './contract';
import {
  countMatches,
  entryNeighbors,
  journalDay,
  journalFilters,
  journalMonth,
  journalPage,
  journalRange,
} from './gallery';
import { listEntries } from './service';

let end: () => Promise<void>;
let journal: Awaited<ReturnType<typeof makeFilterJournal>>;
beforeAll(async () => {
  end = await useFreshDatabase();
  journal = await makeFilterJournal();
});
afterAll(() => end());

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

const periods = [
  ...new Set(DATES.flatMap((date) => [date.slice(0, 4), date.slice(0, 7)])),
  '2022',
  '2025-06',
];
const filter = fc.record({
  tags: tagIndexes,
  month: fc.option(fc.constantFrom(...periods), { nil: undefined }),
  notes: fc.constantFrom('true', 'false', undefined),
});
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;

/** The parameters as a client sends them: a single tag isn't a list. */
function sent({ tags, ...rest }: Filter) {
  const ids = tags.map((index) => journal.tags[index]);
  return { tag: ids.length > 1 ? ids : ids[0], ...rest };
}

const matches = ({ tags, month = '', notes }: Filter) => {
  const wanted = tags.map((index) => journal.tags[index] ?? '');
  return (entry: FilterEntry) =>
    wanted.every((tag) => entry.tags.includes(tag)) &&
    entry.date.startsWith(month) &&
    (notes !== 'true' || entry.notes.length > 0);
};

const expectedEntries = (given: Filter) => journal.listed.filter(matches(given));

/** Pages as long as they should be: full ones, and the rest on the last. */
const inPages = <Item>(list: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

describe('the list of entries', () => {
  it.each([1, 2, 5, 11, 32, 33, 34])('has each entry once, newest first, %i at a time', async (limit) => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await listEntries(journal.userId, contract.listEntries.query.parse({ limit, cursor }));
      pages.push(idsOf(page.entries));
      expect(page.total).toBe(33);
      cursor = page.next ?? undefined;
    } while (cursor && pages.length < 50);
    expect(pages).toEqual(inPages(idsOf(journal.listed), limit));
  });

  it('is whole without a limit, with each entry’s tags by name', async () => {
    const page = await listEntries(journal.userId, contract.listEntries.query.parse({}));
    expect(page).toMatchObject({ next: null, total: 33 });
    const named = ['Home', 'Sea', 'Work'];
    expect(page.entries.map(({ id, tags }) => [id, tags.map(({ name }) => name)])).toEqual(
      journal.listed.map(({ id, tags }) => [
        id,
        named.filter((_, index) => tags.includes(journal.tags[index] ?? '')),
      ]),
    );
  });
});

describe('the gallery', () => {
  it('has what tags, months, and notes leave on numbered pages of six', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const { tag, month, notes } = listTimeline.query.parse(sent(given));
        const expected = expectedEntries(given);
        expect(await countMatches(journal.userId, { tag, month, notes })).toBe(expected.length);
        const pages: string[][] = [];
        const count = Math.max(1, Math.ceil(expected.length / 6));
        for (let number = 1; number <= count; number += 1) {
          const page = await journalPage(journal.userId, number, { tag, month, notes });
          expect([page.page, page.pages, page.total]).toEqual([number, count, expected.length]);
          pages.push(idsOf(page.entries));
        }
        expect(pages).toEqual(expected.length === 0 ? [[]] : inPages(idsOf(expected), 6));
      }),
      { numRuns: 40 },
    );
  });

  it('shows the first page for numbers below, and the last one for those above', async () => {
    for (const [asked, shown] of [
      [-1, 1],
      [0, 1],
      [1, 1],
      [6, 6],
      [7, 6],
    ] as const) {
      const page = await journalPage(journal.userId, asked);
      expect([asked, page.page, idsOf(page.entries)]).toEqual([
        asked,
        shown,
        idsOf(journal.listed).slice((shown - 1) * 6, shown * 6),
      ]);
    }
  });

  it('offers the months that have entries, and shows every day of one', async () => {
    const months = [...new Set(journal.listed.map(({ date }) => date.slice(0, 7)))];
    expect(await journalFilters(journal.userId)).toMatchObject({ months, total: 33 });
    for (const month of [...months, '2025-06']) {
      expect(idsOf(await journalMonth(journal.userId, month))).toEqual(
        idsOf(journal.listed.filter(({ date }) => date.startsWith(month))),
      );
    }
    for (const day of [...DATES, '2024-03-02']) {
      // Two are enough to tell that there are several.
      expect(idsOf(await journalDay(journal.userId, day))).toEqual(
        idsOf(journal.listed.filter(({ date }) => date === day).slice(0, 2)),
      );
    }
  });

  it('knows what’s before and after each entry', async () => {
    for (const [index, { id }] of journal.listed.entries()) {
      const { previous, next } = await entryNeighbors(journal.userId, id);
      expect([previous?.id, next?.id]).toEqual([
        journal.listed[index + 1]?.id,
        journal.listed[index - 1]?.id,
      ]);
    }
  });
});

it('selects from one entry to another, either way around, what a filter leaves', async () => {
  const index = fc.nat({ max: 32 });
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(filter, index, index, async (given, one, other) => {
      const [from = '', to = ''] = [journal.listed[one]?.id, journal.listed[other]?.id];
      const part = journal.listed.slice(Math.min(one, other), Math.max(one, other) + 1);
      const expected = idsOf(part.filter(matches(given)));
      const reading = journalRange(journal.userId, listRange.query.parse({ ...sent(given), from, to }));
      if (expected.includes(from) && expected.includes(to)) {
        outcomes.add('found');
        expect(idsOf(await reading)).toEqual(expected);
      } else {
        outcomes.add('not_found');
        expect(await codeOf(reading)).toBe('not_found');
      }
    }),
    { numRuns: 60 },
  );
  expect([...outcomes].sort()).toEqual(['found', 'not_found']);
});

describe('the timeline', () => {
  const timeline = (query: object) => getTimeline(journal.userId, listTimeline.query.parse(query));

  it('has what a filter leaves, from the newest to the oldest and back', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom(1, 2, 4, 50), async (given, limit) => {
        const expected = idsOf(expectedEntries(given));
        let page = await timeline({ ...sent(given), limit });
        expect(page.hasLater).toBe(false);
        const seen = page.rows.map(({ entry }) => entry.id);
        while (page.hasEarlier && seen.length <= 33) {
          page = await timeline({ ...sent(given), limit, before: page.rows.at(-1)?.cursor });
          seen.push(...page.rows.map(({ entry }) => entry.id));
        }
        expect(seen).toEqual(expected);
        const back = page.rows.map(({ entry }) => entry.id);
        while (page.hasLater && back.length <= 33) {
          page = await timeline({ ...sent(given), limit, after: page.rows[0]?.cursor });
          back.unshift(...page.rows.map(({ entry }) => entry.id));
        }
        // The first page has nothing later, and the others begin where it does.
        expect(back).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('opens at any day, and sums up the months of what it shows', async () => {
    await fc.assert(
      fc.asyncProperty(filter, anyDay, fc.constantFrom(1, 3, 50), async (given, at, limit) => {
        const expected = expectedEntries(given);
        const upTo = expected.filter(({ date }) => date <= at);
        // At a day before all of them, the oldest.
        const shown = upTo.length > 0 ? upTo.slice(0, limit) : expected.slice(-limit);
        const page = await timeline({ ...sent(given), at, limit });
        expect(page.rows.map(({ entry, notes }) => [entry.id, notes])).toEqual(
          shown.map(({ id, notes }) => [id, notes.length]),
        );
        const [newest, oldest] = [shown[0], shown.at(-1)];
        expect(page.hasLater).toBe(newest !== undefined && newest !== expected[0]);
        expect(page.hasEarlier).toBe(oldest !== undefined && oldest !== expected.at(-1));
        const months = [...new Set(shown.map(({ date }) => date.slice(0, 7)))];
        expect(page.months).toEqual(
          months.map((month) => {
            const its = expected.filter(({ date }) => date.startsWith(month));
            const seconds = its.reduce((sum, { duration }) => sum + duration, 0) / 1000;
            return { month, entries: its.length, seconds };
          }),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('marks the days of a year that a filter leaves', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom(2022, 2023, 2024, 2025, 2026), async (given, year) => {
        const query = listTimelineDays.query.parse({ ...sent(given), year: `${year}` });
        const days = [...new Set(journal.listed.map(({ date }) => date))].sort();
        expect(await getTimelineDays(journal.userId, query.year, query)).toEqual(
          days
            .filter((day) => day.startsWith(`${year}`))
            .map((day) => {
              const its = journal.listed.filter(({ date }) => date === day);
              const seconds = its.reduce((sum, { duration }) => sum + duration, 0) / 1000;
              return { day, seconds, matches: its.some(matches(given)) };
            }),
        );
      }),
      { numRuns: 40 },
    );
  });
});
