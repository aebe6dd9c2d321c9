import { describe, expect, it } from 'vitest';
import { formatUsDate, fromIso, isWithinPast100Years, latestToday, parseUsDate, toIso } from './calendar';

describe('calendar dates', () => {
  it('reads MM/DD/YYYY strictly', () => {
    expect(parseUsDate('02/29/2024')).toEqual({ day: 29, month: 2, year: 2024 });
    for (const wrong of [
      '2/9/2024',
      '02/29/2023',
      '13/01/2024',
      '2024-01-01',
      '01/01/24',
      '',
      '00/10/2024',
    ]) {
      expect(parseUsDate(wrong), wrong).toBeNull();
    }
  });

  it('reads YYYY-MM-DD strictly', () => {
    expect(fromIso('2026-11-20')).toEqual({ day: 20, month: 11, year: 2026 });
    for (const wrong of [
      '2026-2-3',
      '2026-02-30',
      '20261120',
      '2026-11-20T00:00',
      '11/20/2026',
      '0000-01-01',
    ]) {
      expect(fromIso(wrong), wrong).toBeNull();
    }
  });

  it('writes what it reads', () => {
    expect(toIso({ day: 3, month: 2, year: 0o1750 })).toBe('1000-02-03');
    expect(formatUsDate({ day: 3, month: 2, year: 2026 })).toBe('02/03/2026');
  });

  it('takes today in every time zone, and not tomorrow in all of them', () => {
    // 2026-11-20T10:30Z is the 21st already in UTC+14 and still the 19th in UTC-11.
    const now = Date.UTC(2026, 10, 20, 10, 30);
    const today = latestToday(now);
    expect(today).toEqual({ day: 21, month: 11, year: 2026 });
    for (const day of [19, 20, 21])
      expect(isWithinPast100Years({ day, month: 11, year: 2026 }, today)).toBe(true);
    expect(isWithinPast100Years({ day: 22, month: 11, year: 2026 }, today)).toBe(false);
  });

  it('goes back exactly 100 years', () => {
    const today = { day: 20, month: 11, year: 2026 };
    expect(isWithinPast100Years({ day: 20, month: 11, year: 1926 }, today)).toBe(true);
    expect(isWithinPast100Years({ day: 19, month: 11, year: 1926 }, today)).toBe(false);
  });
});
