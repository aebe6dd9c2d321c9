import { describe, expect, it } from 'vitest';
import { describeGap, describeMonth, formatDays, formatLongDate, listNames } from './timeline-text';

const on = (iso: string) => {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number);
  return { year, month, day };
};

describe('gaps', () => {
  it.each([
    ['2026-11-18', '2026-11-13', null],
    ['2026-11-18', '2026-11-12', 'Five days without Family'],
    ['2026-11-09', '2026-11-01', 'A week without Family'],
    ['2026-11-10', '2026-11-01', 'Eight days without Family'],
    ['2026-11-16', '2026-11-01', 'Two weeks without Family'],
    ['2026-11-01', '2026-07-30', 'Three months without Family'],
    ['2026-11-01', '2025-10-01', 'A year without Family'],
    ['2026-11-01', '2010-10-01', '16 years without Family'],
    ['2026-11-18', '2026-11-18', null],
  ])('from %s to %s: %s', (newer, older, text) => {
    expect(describeGap(on(newer), on(older), 'Family')).toBe(text);
  });

  it('say what’s missing', () => {
    expect(describeGap(on('2026-11-09'), on('2026-11-01'), null)).toBe('A week without an entry');
  });
});

it('sums up months', () => {
  expect(describeMonth({ entries: 5, seconds: 1620 }, 'Family')).toBe('5 with Family · 27 minutes');
  expect(describeMonth({ entries: 1, seconds: 20 }, null)).toBe('1 entry · less than a minute');
  expect(describeMonth({ entries: 1200, seconds: 11_520 }, null)).toBe('1,200 entries · 3 h 12 min');
  expect(describeMonth({ entries: 2, seconds: 0 }, null)).toBe('2 entries');
});

it('names what the timeline is narrowed down to', () => {
  expect(listNames([])).toBe(null);
  expect(listNames(['Family'])).toBe('Family');
  expect(listNames(['Family', 'notes'])).toBe('Family and notes');
  expect(listNames(['Family', 'Garden', 'notes'])).toBe('Family, Garden, and notes');
});

it('writes days out', () => {
  expect(formatLongDate(on('2026-11-20'))).toBe('Friday, November 20, 2026');
  expect(formatDays('2026-11-01', '2026-11-21')).toBe('November 1 to 21, 2026');
  expect(formatDays('2026-10-25', '2026-11-07')).toBe('October 25 to November 7, 2026');
  expect(formatDays('2025-12-28', '2026-01-03')).toBe('December 28, 2025 to January 3, 2026');
});
