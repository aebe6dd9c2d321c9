import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { findDateInFolders, findTimeInName, type NameTime } from './date-in-path';

const clock = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );

/** Returns what was found as text: a date with the time of day if there's one, or a moment in UTC. */
function show(found: NameTime | null): string | null {
  if (!found) return null;
  const { time, alternative } = found;
  if ('instant' in time) return new Date(time.instant).toISOString();
  const { date, seconds } = time.local;
  const shown = seconds === null ? toIso(date) : `${toIso(date)} ${clock(seconds).join(':')}`;
  return alternative ? `${shown} or ${toIso(alternative)}` : shown;
}

describe('a file’s name', () => {
  it.each([
    ['VID_20190704_213005.mp4', '2019-07-04 21:30:05'],
    ['20190704_213005.mp4', '2019-07-04 21:30:05'],
    ['20190704213005.mp4', '2019-07-04 21:30:05'],
    ['2019-07-04 21.30.05.mov', '2019-07-04 21:30:05'],
    ['2019-07-04_21-30-05.mov', '2019-07-04 21:30:05'],
    ['video_2019-07-04_21-30-05.mp4', '2019-07-04 21:30:05'],
    ['2019.07.04.mov', '2019-07-04'],
    ['2019-07-04.mov', '2019-07-04'],
    ['20190704.mov', '2019-07-04'],
    ['Trip 2019-07-04 to the sea.mov', '2019-07-04'],
    ['VID-20190704-WA0003.mp4', '2019-07-04'],
    ['WhatsApp Video 2023-07-04 at 9.30.05 PM.mp4', '2023-07-04 21:30:05'],
    ['WhatsApp Video 2023-07-04 at 21.30.05.mp4', '2023-07-04 21:30:05'],
    ['WhatsApp Video 2023-07-04 at 12.30.05 AM (1).mp4', '2023-07-04 00:30:05'],
    ['signal-2023-07-04-213005.mp4', '2023-07-04 21:30:05'],
    ['signal-2023-07-04-21-30-05-123.mp4', '2023-07-04 21:30:05'],
    ['Screen Recording 2023-07-04 at 9.30.05\u202fPM.mov', '2023-07-04 21:30:05'],
    ['Screen_Recording_20230704-213005_Chrome.mp4', '2023-07-04 21:30:05'],
    ['PXL_20230704_213005123.mp4', '2023-07-04T21:30:05.000Z'],
    ['PXL_20230704_213005123.TS.mp4', '2023-07-04T21:30:05.000Z'],
    ['20230704T213005Z.mp4', '2023-07-04T21:30:05.000Z'],
    ['1562275805123.mp4', '2019-07-04T21:30:05.123Z'],
    ['July 4, 2019.mp4', '2019-07-04'],
    ['July 4th, 2019 Fireworks.mp4', '2019-07-04'],
    ['4 Jul 2019.mp4', '2019-07-04'],
    ['04-Jul-2019.mp4', '2019-07-04'],
    ['2019 Jul 4.mp4', '2019-07-04'],
    ['04.07.2019.mp4', '2019-07-04 or 2019-04-07'],
    ['13.07.2019.mp4', '2019-07-13'],
    ['07.13.2019.mp4', '2019-07-13'],
    ['07-04-2019.mp4', '2019-07-04 or 2019-04-07'],
    ['07-13-2019.mp4', '2019-07-13'],
    ['13-07-2019.mp4', '2019-07-13'],
    ['07-07-2019.mp4', '2019-07-07'],
    ['2019-07-04 25.61.00.mp4', '2019-07-04'],
    ['1965-07-04 Wedding.mp4', '1965-07-04'],
  ])('has a time: %s', (name, expected) => {
    expect(show(findTimeInName(name))).toBe(expected);
  });

  it.each([
    'Clip 1920x1080.mp4',
    '20201080.mp4',
    '2019-13-45.mp4',
    '2019-02-30.mp4',
    '+1 202-555-0123.mp4',
    '2025550123.mp4',
    '12345201907041.mp4',
    '201907041234567.mp4',
    '2024-0131.mp4',
    'IMG_2019.mp4',
    '2019.mp4',
    '9999999999999.mp4',
    '19201201.mp4',
    'May 2019.mp4',
    'maybe 12 2019.mp4',
    'holiday.mp4',
    '.mp4',
    '',
  ])('has none: %s', (name) => {
    expect(findTimeInName(name)).toBeNull();
  });

  it('is read back in every form that it may be written in', () => {
    const date = fc.date({ min: new Date('1971-01-01'), max: new Date('2026-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (moment) => {
        const [day = '', time = ''] = moment.toISOString().slice(0, 19).split('T');
        const compact = day.replaceAll('-', '');
        const expected = `${day} ${time}`;
        const names = [
          `VID_${compact}_${time.replaceAll(':', '')}`,
          `${day} ${time.replaceAll(':', '.')}`,
          `signal-${day}-${time.replaceAll(':', '')}`,
          `${compact}${time.replaceAll(':', '')}`,
        ];
        expect(names.map((name) => show(findTimeInName(`${name}.mp4`)))).toEqual(names.map(() => expected));
      }),
    );
  });

  it('is never an error, whatever it is', () => {
    const parts = fc.constantFrom(
      '2019',
      '07',
      '4',
      '-',
      '.',
      ' ',
      'July',
      'at',
      'PM',
      ':',
      '_',
      '13',
      'Z',
      '\u{1f600}',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (name) => {
        findTimeInName(name.join(''));
        findDateInFolders(name.join('/'));
      }),
    );
  });
});

describe('folders', () => {
  it.each([
    ['2019-07-04/clip.mp4', '2019-07-04'],
    ['2018-01-01 Backup/2019-07-04 Beach/clip.mp4', '2019-07-04'],
    ['2019/07/04/clip.mp4', '2019-07-04'],
    ['2019/07 July/04.mp4', '2019-07-04'],
    ['2019/July/4.mp4', '2019-07-04'],
    ['2019-07/04 Beach.mp4', '2019-07-04'],
    ['2019-07/04/clip.mp4', '2019-07-04'],
    ['July 2019/04.mp4', '2019-07-04'],
    ['2019 July/04.mp4', '2019-07-04'],
    ['1SE/2019/07/04_1.mp4', '2019-07-04'],
    ['07-04-2019/clip.mp4', '2019-07-04 or 2019-04-07'],
  ])('have a date: %s', (path, expected) => {
    expect(show(findDateInFolders(path))).toBe(expected);
  });

  it.each([
    '2019/clip.mp4',
    '2019/07/clip.mp4',
    '2019-07/clip.mp4',
    'Photos from 2019/07.mp4',
    '2019/13/04.mp4',
    '2019-02/30.mp4',
    '2019/Trip/04.mp4',
    '04.mp4',
    'July/04.mp4',
    '2019/07/2019.mp4',
    '',
  ])('have none: %s', (path) => {
    expect(findDateInFolders(path)).toBeNull();
  });
});
