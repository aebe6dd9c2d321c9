import { describe, expect, it } from 'vitest';
import { formatHour, formatPlace, groupTimeZones } from './time-zones';

describe('time zones', () => {
  it.each([
    ['America/New_York', 'New York'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires, Argentina'],
    ['UTC', 'UTC'],
  ])('shows the place of %s', (zone, place) => {
    expect(formatPlace(zone)).toBe(place);
  });

  it('are grouped by region, with one that the browser doesn’t list', () => {
    expect(groupTimeZones(['Asia/Tokyo', 'America/New_York', 'Asia/Dubai'], 'UTC')).toEqual([
      ['Asia', ['Asia/Dubai', 'Asia/Tokyo']],
      ['America', ['America/New_York']],
      ['Other', ['UTC']],
    ]);
    expect(groupTimeZones(['Asia/Tokyo'], 'Asia/Tokyo')).toEqual([['Asia', ['Asia/Tokyo']]]);
  });
});

it.each([
  [0, '12:00 AM'],
  [11, '11:00 AM'],
  [12, '12:00 PM'],
  [20, '8:00 PM'],
])('shows the hour %i as %s', (hour, text) => {
  expect(formatHour(hour)).toBe(text);
});
