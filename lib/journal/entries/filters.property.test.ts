import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import type { AppError } from '@/lib/foundation/contract/errors';
import { listRange } from '@/lib/journal/bulk/contract';
import { listTimeline } from '@/lib/journal/timeline/contract';
import { inScope } from '@/lib/portability/exports/scope';
import { useFreshDatabase } from '@/test/app-database';
import { anyFilter, DATES, idsOf, makeFilterJournal, matcherOf, sentFilter } from '@/test/filter-fixtures';
import * as contract from './contract';
import { dashboard } from './dashboard';
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
      fc.asyncProperty(anyFilter, async (given) => {
        const { tag, month, notes } = listTimeline.query.parse(sentFilter(journal, given));
        const expected = journal.listed.filter(matcherOf(journal, given));
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
  const outcomes = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(anyFilter, index, index, async (given, one, other) => {
      const [from = '', to = ''] = [journal.listed[one]?.id, journal.listed[other]?.id];
      const part = journal.listed.slice(Math.min(one, other), Math.max(one, other) + 1);
      const expected = idsOf(part.filter(matcherOf(journal, given)));
      const reading = journalRange(
        journal.userId,
        listRange.query.parse({ ...sentFilter(journal, given), from, to }),
      );
      const isThere = expected.includes(from) && expected.includes(to);
      outcomes.add(isThere);
      const outcome = reading.then(idsOf, (error: AppError) => error.code);
      expect(await outcome).toEqual(isThere ? expected : 'not_found');
    }),
    { numRuns: 60 },
  );
  expect(outcomes.size).toBe(2);
});

it('shows the six newest entries first, and counts all of them', async () => {
  const shown = await dashboard(journal.userId);
  expect(idsOf(shown.entries)).toEqual(idsOf(journal.listed.slice(0, 6)));
  expect(shown.stats.totalEntries).toBe(33);
});

it('exports the years or the selection that are asked for, up to their first and last days', async () => {
  const year = fc.option(fc.constantFrom(1, 2022, 2023, 2024, 2025, 2026, 9999), { nil: null });
  const selection = fc.option(fc.subarray(journal.listed), { nil: null });
  await fc.assert(
    fc.asyncProperty(year, year, selection, async (fromYear, toYear, selected) => {
      const scope = { fromYear, toYear, entryIds: selected && idsOf(selected) };
      const found = await db().select({ id: entries.id }).from(entries).where(inScope(journal.userId, scope));
      const expected = (selected ?? journal.listed).filter(({ date }) => {
        const its = Number(date.slice(0, 4));
        return its >= (fromYear ?? 0) && its <= (toYear ?? 9999);
      });
      expect(idsOf(found).sort()).toEqual(idsOf(expected).sort());
    }),
    { numRuns: 40 },
  );
});
