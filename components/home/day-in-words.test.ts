import { describe, expect, it } from 'vitest';
import {
  dateInWords,
  durationInWords,
  partOfDay,
  weekdayAndPart,
  weekInWords,
  yearInWords,
} from './day-in-words';

const today = { year: 2026, month: 11, day: 22 };

describe('the date in words', () => {
  it('spells every day of a month', () => {
    const days = [1, 2, 3, 12, 20, 21, 22, 29, 30, 31].map((day) => dateInWords({ ...today, day }).day);
    expect(days.join(' ')).toBe(
      'first second third twelfth twentieth twenty-first twenty-second twenty-ninth thirtieth thirty-first',
    );
    expect(dateInWords(today)).toEqual({ month: 'November', day: 'twenty-second' });
  });

  it('names the weekday and the time of day', () => {
    expect(weekdayAndPart(today, 20)).toBe('Sunday evening');
    expect([0, 3, 4, 11, 12, 16, 17, 21, 22, 23].map(partOfDay).join(' ')).toBe(
      'night night morning morning afternoon afternoon evening evening night night',
    );
  });
});

describe('durations in words', () => {
  it('are rounded as people say them', () => {
    expect([1, 15, 59, 60, 364, 3600, 4800, 7260, 86_400].map(durationInWords)).toEqual([
      'one second',
      '15 seconds',
      '59 seconds',
      'one minute',
      'six minutes',
      'an hour',
      'an hour and 20 minutes',
      'two hours and one minute',
      '24 hours',
    ]);
  });
});

describe('the week in words', () => {
  const none = null;
  const latest = { date: { year: 2026, month: 11, day: 20 }, duration: 364, title: 'The wall is finished' };

  it('counts days without a streak, and names the last entry', () => {
    const days = [60, none, 60, none, none, 60, none];
    expect(weekInWords(today, { days, streak: 1 }, latest)).toBe(
      'You’ve recorded on three of the last seven days. On Friday you recorded six minutes: “The wall is finished.”',
    );
  });

  it('names a streak', () => {
    const days = [none, none, none, none, 60, 60, 60];
    const last = { ...latest, date: today, title: 'Why?' };
    expect(weekInWords(today, { days, streak: 3 }, last)).toBe(
      'You’ve recorded three days in a row. Today you recorded six minutes: “Why?”',
    );
  });

  it('says nothing about an empty week, and gives the year of an old entry', () => {
    const days = Array.from({ length: 7 }, () => none);
    const old = { date: { year: 2024, month: 11, day: 5 }, duration: null, title: 'Long ago' };
    expect(weekInWords(today, { days, streak: 0 }, old)).toBe('On November 5, 2024 you recorded “Long ago.”');
    expect(weekInWords(today, null, undefined)).toBe('');
  });
});

describe('the year in words', () => {
  it('has the days, the time, and the longest day', () => {
    expect(yearInWords({ from: '2026-01-04', days: [60, null, 1440, null, 120] })).toBe(
      'You recorded on 3 days, 27 minutes in all. The longest was January 6, 24 minutes.',
    );
    expect(yearInWords({ from: '2026-01-04', days: [null, 720] })).toBe(
      'You recorded on 1 day, 12 minutes in all.',
    );
    expect(yearInWords({ from: '2026-01-04', days: [0, null] })).toBe('You recorded on 1 day.');
  });
});
