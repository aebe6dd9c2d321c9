import { describe, expect, it } from 'vitest';
import { type DateEvidence, resolveClipDate } from './clip-date';
import { WARNINGS } from './date-finding';
import { NO_HEADER } from './video-header';

const NOW = Date.UTC(2026, 2, 1, 17);
const utc = (text: string) => Date.parse(`${text}Z`);
/** A minute of video of an unknown camera, with this time in its header. */
const created = (text: string) => ({ ...NO_HEADER, createdAt: utc(text), seconds: 60 });
const NOTHING: DateEvidence = {
  ...{ sidecar: null, header: NO_HEADER, location: null, path: 'MVI_0001.MP4', lastModified: null },
};
const resolveIn = (zone: string, evidence: Partial<DateEvidence>, now = NOW) =>
  resolveClipDate({ ...NOTHING, ...evidence }, { zone, now });

/** 21:30 on July 4 by the camera's clock, which is 06:30 on July 5 in Tokyo if it's UTC. */
const EVENING = created('2019-07-04T21:30');
/** 00:30 on July 5 by the camera's clock, which is 20:30 on July 4 in New York if it's UTC. */
const NIGHT = created('2019-07-05T00:30');

describe('a header’s time that may be local', () => {
  it('is, with a warning, if the file was last changed when the clock showed it', () => {
    const tokyo = resolveIn('Asia/Tokyo', { header: EVENING, lastModified: utc('2019-07-04T12:31') });
    expect(tokyo).toMatchObject({
      ...{ date: '2019-07-04', source: 'metadata', warning: WARNINGS.local },
      ...{ others: [{ date: '2019-07-05', source: 'metadata' }], startedAt: utc('2019-07-04T12:30') },
    });
    const lastModified = utc('2019-07-05T04:31');
    expect(resolveIn('America/New_York', { header: NIGHT, lastModified })).toMatchObject({
      ...{ date: '2019-07-05', warning: WARNINGS.local },
      others: [{ date: '2019-07-04', source: 'metadata' }],
    });
  });

  it('is if the file was last changed before it began in UTC', () => {
    const lastModified = utc('2019-07-04T14:00');
    expect(resolveIn('Asia/Tokyo', { header: EVENING, lastModified })).toMatchObject({
      ...{ date: '2019-07-04', warning: WARNINGS.local },
    });
  });

  it('is if it would be in the future in UTC, on the evening of the same day', () => {
    const today = resolveIn('Asia/Tokyo', { header: EVENING }, utc('2019-07-04T13:00'));
    expect(today).toMatchObject({ date: '2019-07-04', source: 'metadata' });
    expect(today.warning).not.toBeNull();
  });

  it('is if a name has its date', () => {
    for (const path of ['2019-07-04 Fireworks.mp4', '2019-07-04/MVI_0001.MP4']) {
      expect(resolveIn('Asia/Tokyo', { header: EVENING, path })).toMatchObject({
        ...{ date: '2019-07-04', warning: WARNINGS.local },
      });
    }
  });

  it('is UTC, with a warning, if only the day of the last change agrees', () => {
    const lastModified = utc('2019-07-05T18:00');
    expect(resolveIn('America/New_York', { header: NIGHT, lastModified })).toMatchObject({
      ...{ date: '2019-07-04', warning: WARNINGS.local },
      others: [{ date: '2019-07-05', source: 'metadata' }],
    });
  });

  it.each([
    ['the file was last changed then', { lastModified: utc('2019-07-04T21:31') }],
    ['the file was last changed at another time', { lastModified: utc('2020-01-01T12:00') }],
    ['a name has the day', { path: '2019-07-05.mp4' }],
    ['a name has the time', { path: '20190705_063000.mp4', lastModified: utc('2019-07-04T12:31') }],
    ['nothing else is known', {}],
  ])('is UTC without a warning if %s', (_, evidence) => {
    expect(resolveIn('Asia/Tokyo', { header: EVENING, ...evidence })).toMatchObject({
      ...{ date: '2019-07-05', warning: null },
    });
  });

  it('is UTC if the file was last changed then, whatever its name says', () => {
    const evidence = { header: NIGHT, path: '2019-07-05.mp4', lastModified: utc('2019-07-05T00:31') };
    expect(resolveIn('America/New_York', evidence)).toMatchObject({
      ...{ date: '2019-07-04', source: 'metadata' },
      warning: 'The video says 07/04/2019, but the file name says 07/05/2019.',
    });
  });

  it('is UTC on a phone, which knows its time zone', () => {
    const header = { ...EVENING, isUtc: true };
    const evidence = { header, lastModified: utc('2019-07-04T12:31') };
    expect(resolveIn('Asia/Tokyo', evidence)).toMatchObject({ date: '2019-07-05', warning: null });
  });

  it('says nothing by the day of a copy, which is today’s or yesterday’s', () => {
    const header = created('2026-03-01T01:30');
    const lastModified = utc('2026-03-01T14:00');
    expect(resolveIn('America/New_York', { header, lastModified })).toMatchObject({
      ...{ date: '2026-02-28', warning: null },
    });
  });
});
