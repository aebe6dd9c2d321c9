import { expect, it } from 'vitest';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { readTypedDay } from './typed-day';

// A Wednesday.
const TODAY = { year: 2026, month: 11, day: 25 };

it.each([
  ['11/18/2026', '2026-11-18'],
  ['1/2/2025', '2025-01-02'],
  ['11/18', '2026-11-18'],
  ['12/24', '2025-12-24'],
  ['2024-02-29', '2024-02-29'],
  ['nov 18', '2026-11-18'],
  ['Nov. 18, 2025', '2025-11-18'],
  ['18 november', '2026-11-18'],
  ['december 1st', '2025-12-01'],
  ['sept 3', '2026-09-03'],
  ['feb 29', '2024-02-29'],
  ['today', '2026-11-25'],
  [' Yesterday ', '2026-11-24'],
  ['monday', '2026-11-23'],
  ['last fri', '2026-11-20'],
  ['wednesday', '2026-11-18'],
])('reads %s', (typed, day) => {
  const date = readTypedDay(typed, TODAY);
  expect(date && toIso(date)).toBe(day);
});

it.each(['', 'garden', 'march', 'may', 'nov 31', '13/1', '2/30/2026', 'monkey', 'mon 3', '18', '2026'])(
  'doesn’t take “%s” for a day',
  (typed) => {
    expect(readTypedDay(typed, TODAY)).toBeNull();
  },
);
