import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import {
  anyDay,
  anyFilter,
  idsOf,
  makeFilterJournal,
  matcherOf,
  secondsOf,
  sentFilter,
} from '@/test/filter-fixtures';
import * as contract from './contract';
import { getTimeline, getTimelineDays } from './service';

let end: () => Promise<void>;
let journal: Awaited<ReturnType<typeof makeFilterJournal>>;
beforeAll(async () => {
  end = await useFreshDatabase();
  journal = await makeFilterJournal();
});
afterAll(() => end());

const UNFILTERED = { tags: [], month: undefined, notes: undefined };

describe('the timeline', () => {
  const timeline = (query: object) => getTimeline(journal.userId, contract.listTimeline.query.parse(query));

  it('has what a filter leaves, from the newest to the oldest and back', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.constantFrom(1, 2, 4, 50), async (given, limit) => {
        const expected = idsOf(journal.listed.filter(matcherOf(journal, given)));
        let page = await timeline({ ...sentFilter(journal, given), limit });
        expect(page.hasLater).toBe(false);
        const seen = page.rows.map(({ entry }) => entry.id);
        while (page.hasEarlier && seen.length <= 33) {
          page = await timeline({ ...sentFilter(journal, given), limit, before: page.rows.at(-1)?.cursor });
          seen.push(...page.rows.map(({ entry }) => entry.id));
        }
        expect(seen).toEqual(expected);
        const back = page.rows.map(({ entry }) => entry.id);
        while (page.hasLater && back.length <= 33) {
          page = await timeline({ ...sentFilter(journal, given), limit, after: page.rows[0]?.cursor });
          // Something later was promised.
          expect(page.rows).not.toEqual([]);
          back.unshift(...page.rows.map(({ entry }) => entry.id));
        }
        expect(back).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('opens at any day, and sums up the months of what it shows', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, anyDay, fc.constantFrom(1, 3, 32, 33, 50), async (given, at, limit) => {
        const expected = journal.listed.filter(matcherOf(journal, given));
        const upTo = expected.filter(({ date }) => date <= at);
        // At a day before all of them, the oldest.
        const shown = upTo.length > 0 ? upTo.slice(0, limit) : expected.slice(-limit);
        const page = await timeline({ ...sentFilter(journal, given), at, limit });
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
            const seconds = secondsOf(its);
            return { month, entries: its.length, seconds };
          }),
        );
      }),
      // Just as many as there are, and one fewer.
      {
        numRuns: 60,
        examples: [
          [UNFILTERED, '1999-01-01', 32],
          [UNFILTERED, '1999-01-01', 33],
        ],
      },
    );
  });

  it('marks the days of a year that a filter leaves', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.constantFrom(2022, 2023, 2024, 2025, 2026), async (given, year) => {
        const query = contract.listTimelineDays.query.parse({
          ...sentFilter(journal, given),
          year: `${year}`,
        });
        const days = [...new Set(journal.listed.map(({ date }) => date))].sort();
        expect(await getTimelineDays(journal.userId, query.year, query)).toEqual(
          days
            .filter((day) => day.startsWith(`${year}`))
            .map((day) => {
              const its = journal.listed.filter(({ date }) => date === day);
              const seconds = secondsOf(its);
              return { day, seconds, matches: its.some(matcherOf(journal, given)) };
            }),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('takes a tag that’s sent twice as one', async () => {
    const [tag] = journal.tags;
    const expected = journal.listed.filter(matcherOf(journal, { ...UNFILTERED, tags: [0] }));
    const page = await timeline({ tag: [tag, tag], limit: 50 });
    expect(page.rows.map(({ entry }) => entry.id)).toEqual(idsOf(expected));
    expect(expected).not.toEqual([]);
  });
});
