import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archivedEntry, archivedJournal, HOSTILE } from '@/test/archive-fixture';
import { estimateHeight, toBlocks } from './card-list';
import { fileUrl, filterEntries, openJournal } from './journal';
import { parseRoute } from './route';
import { moveDay } from './use-day-keys';

const dates = (count: number) =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.UTC(2025, 11, 1 + Math.floor(day / 3))).toISOString().slice(0, 10),
  );
const journalOf = (days: string[]) =>
  openJournal(archivedJournal(days.map((date, index) => ({ id: `e${index}`, date, tags: ['t'] }))));

describe('a journal', () => {
  it('shows entries newest first, and the years that have some', () => {
    const journal = journalOf(['2024-02-29', '2026-01-01', '2026-01-01']);
    expect(journal.entries.map(({ id }) => id)).toEqual(['e2', 'e1', 'e0']);
    expect(journal.years).toEqual([2026, 2024]);
    expect(filterEntries(journal.entries, { tag: null, year: 2024 }).map(({ id }) => id)).toEqual(['e0']);
    expect(filterEntries(journal.entries, { tag: 't', year: null })).toHaveLength(0);
  });

  it('plays the copy that every browser plays first', () => {
    const entry = archivedEntry({ id: 'one', date: '2026-11-18', video: '2026/a.mov' });
    const playable = { path: '2026/a.playable.mp4', bytes: 1, sha256: '' };
    const journal = openJournal({ ...archivedJournal([]), entries: [{ ...entry, playable }] });
    expect(journal.entries[0]?.videos).toEqual(['2026/a.playable.mp4', '2026/a.mov']);
  });

  it('splits cards into blocks of one month each, with every entry once', () => {
    const { entries } = journalOf(dates(200));
    const blocks = toBlocks(entries);
    expect(blocks.flatMap((block) => block.entries)).toEqual(entries);
    for (const block of blocks) expect(new Set(block.entries.map(({ day }) => day.slice(0, 7))).size).toBe(1);
    expect(blocks.filter(({ heading }) => heading).map(({ heading }) => heading)).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
    ]);
    expect(Math.max(...blocks.map((block) => block.entries.length))).toBeLessThanOrEqual(30);
  });

  it('estimates more height for more rows', () => {
    expect(estimateHeight(1, 1200, 1360)).toBe(estimateHeight(3, 1200, 1360));
    expect(estimateHeight(4, 1200, 1360)).toBeGreaterThan(2 * estimateHeight(3, 1200, 1360));
    expect(estimateHeight(2, 300, 320)).toBeGreaterThan(2 * estimateHeight(1, 300, 320));
  });
});

describe('a URL', () => {
  it('leads to the file whatever its name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        fc.pre(!/[/\0]|^\.{1,2}$/.test(name) && name.isWellFormed());
        const { pathname, search, hash } = new URL(fileUrl(`2026/${name}.mp4`), 'file:///archive/index.html');
        expect(decodeURIComponent(pathname)).toBe(`/archive/2026/${name}.mp4`);
        expect([search, hash]).toEqual(['', '']);
      }),
    );
  });

  it.each([
    ['', { page: 'journal', tag: null, year: null }],
    ['#/journals?tag=a%26b&year=2026', { page: 'journal', tag: 'a&b', year: 2026 }],
    ['#/journals?view=calendar', { page: 'calendar', year: null }],
    ['#/journals?view=calendar&year=2025', { page: 'calendar', year: 2025 }],
    ['#/journals?view=calendar&month=2026-11', { page: 'month', month: '2026-11' }],
    ['#/journals?view=calendar&month=2026-13', { page: 'calendar', year: null }],
    ['#/entry/abc?t=12.3', { page: 'entry', id: 'abc', at: 12.3 }],
    [`#/entry/abc/${encodeURIComponent(HOSTILE)}?t=x`, { page: 'entry', id: 'abc', at: null }],
    ['#/entry/%', { page: 'entry', id: '%', at: null }],
    ['#/search?query=a+b%3F', { page: 'search', query: 'a b?' }],
    ['#/entry', { page: 'unknown' }],
    ['#/settings', { page: 'unknown' }],
  ])('opens the page at “%s”', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });
});

describe('arrow keys in a calendar', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-08', '2026-03-01', '2026-12-31'];

  it.each([
    ['ArrowRight', '2026-01-02', '2026-01-08'],
    ['ArrowLeft', '2026-03-01', '2026-01-08'],
    ['ArrowDown', '2026-01-01', '2026-01-08'],
    ['ArrowDown', '2026-01-02', '2026-03-01'],
    ['ArrowUp', '2026-03-01', '2026-01-08'],
    ['Home', '2026-03-01', '2026-01-01'],
    ['End', '2026-01-01', '2026-12-31'],
    ['ArrowRight', '2026-12-31', undefined],
    ['ArrowUp', '2026-01-02', undefined],
    ['Enter', '2026-01-02', undefined],
  ])('%s goes from %s to %s', (key, from, to) => {
    expect(moveDay(days, from, key)).toBe(to);
  });
});
