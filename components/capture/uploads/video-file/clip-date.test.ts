import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DateEvidence, resolveClipDate } from './clip-date';
import { instantOf, offsetAt } from './local-time';
import { NO_HEADER } from './video-header';

const NOW = Date.UTC(2026, 2, 1, 17);
const reader = { zone: 'America/New_York', now: NOW };
const header = NO_HEADER;
const NOTHING: DateEvidence = { sidecar: null, header, location: null, path: 'clip.mp4', lastModified: null };
const utc = (text: string) => Date.parse(`${text}Z`);
const sidecar = (text: string) => ({ instant: utc(text), zone: null, isChosen: false });
const resolve = (evidence: Partial<DateEvidence>) => resolveClipDate({ ...NOTHING, ...evidence }, reader);
const created = (text: string) => ({ ...header, createdAt: utc(text) });
const ZONE = 'Recorded close to midnight, and the file doesn’t include a time zone.';

describe('a clip’s date', () => {
  it('comes from its sidecar, its metadata, its name, and its folder, in this order', () => {
    const evidence = {
      sidecar: sidecar('2019-07-04T16:00'),
      header: created('2018-07-04T16:00'),
      path: '2016-07-04/2017-07-04.mp4',
      lastModified: utc('2015-07-04T16:00'),
    };
    const { date, source, others, warning } = resolve(evidence);
    expect({ date, source }).toEqual({ date: '2019-07-04', source: 'sidecar' });
    expect(warning).toBe('The export says 07/04/2019, but the video says 07/04/2018.');
    expect(others).toEqual([
      { date: '2018-07-04', source: 'metadata' },
      { date: '2017-07-04', source: 'name' },
      { date: '2016-07-04', source: 'folder' },
      { date: '2015-07-04', source: 'modified' },
    ]);
    expect(resolve({ ...evidence, sidecar: null })).toMatchObject({ date: '2018-07-04', source: 'metadata' });
    expect(resolve({ ...evidence, sidecar: null, header })).toMatchObject({
      date: '2017-07-04',
      source: 'name',
    });
    expect(resolve({ path: '2016-07-04/clip.mp4' })).toMatchObject({ date: '2016-07-04', source: 'folder' });
  });

  it('needs a look if its sources disagree', () => {
    const found = resolve({ header: created('2021-07-04T16:00'), path: 'Birthday 2015-06-01.mp4' });
    expect(found).toMatchObject({
      ...{ date: '2021-07-04', source: 'metadata' },
      warning: 'The video says 07/04/2021, but the file name says 06/01/2015.',
    });
    const chosen = { instant: utc('2021-07-04T16:00'), zone: 'America/New_York', isChosen: true };
    expect(resolve({ sidecar: chosen, path: '2015-06-01.mp4' }).warning).toBeNull();
  });

  it('needs a look if its day is a number in a name with words', () => {
    const dateOf = (path: string) => {
      const { date, warning } = resolve({ path });
      return [date, warning];
    };
    const warning = 'The number in the file name may not be the day.';
    expect(dateOf('2019/07 Italy/3 cats.mp4')).toEqual(['2019-07-03', warning]);
    expect(dateOf('2019/07/03.mp4')).toEqual(['2019-07-03', null]);
    expect(dateOf('2019/07/03/4 cats.mp4')).toEqual(['2019-07-03', null]);
  });

  it('takes the time zone from the metadata', () => {
    const local = { date: { year: 2019, month: 7, day: 5 }, seconds: 1800, offset: 540 };
    const evidence = { sidecar: sidecar('2019-07-04T15:30'), header: { ...header, local } };
    expect(resolve(evidence)).toMatchObject({ date: '2019-07-05', source: 'sidecar', warning: null });
  });

  it('takes the time zone from the time in the name, also if the recording’s end is in the header', () => {
    const path = '20190705_003000.mp4';
    const found = { date: '2019-07-05', source: 'metadata', warning: null };
    expect(resolve({ header: created('2019-07-04T15:30:20'), path })).toMatchObject(found);
    const ended = { ...created('2019-07-04T15:40'), seconds: 600 };
    expect(resolve({ header: ended, path })).toMatchObject(found);
  });

  it('takes the time zone from the place', () => {
    const tokyo = { latitude: 35.7, longitude: 139.7 };
    const evidence = { header: created('2019-07-04T20:00'), location: tokyo };
    expect(resolve(evidence)).toMatchObject({ date: '2019-07-05', warning: null });
    const late = { header: created('2019-07-04T14:30'), location: tokyo };
    expect(resolve(late)).toMatchObject({ date: '2019-07-04', warning: ZONE });
    const home = { latitude: 40.7, longitude: -74 };
    expect(resolve({ header: created('2019-07-05T02:30'), location: home })).toMatchObject({
      ...{ date: '2019-07-04', warning: null },
    });
    const samoa = { latitude: -13.8, longitude: -171.8 };
    expect(resolve({ header: created('2019-07-04T22:00'), location: samoa }).warning).toBe(ZONE);
  });

  it('is the one at home otherwise, and needs a look close to midnight, unless its name settles it', () => {
    expect(resolve({ header: created('2019-07-04T16:00') })).toMatchObject({
      date: '2019-07-04',
      warning: null,
    });
    const late = { header: created('2019-07-05T02:30') };
    expect(resolve(late)).toMatchObject({ date: '2019-07-04', warning: ZONE });
    expect(resolve(late).others).toEqual([{ date: '2019-07-05', source: 'metadata' }]);
    expect(resolve({ ...late, path: '2019-07-05.mp4' })).toMatchObject({ date: '2019-07-05', warning: null });
    expect(resolve({ ...late, path: '2019-07-05/clip.mp4' })).toMatchObject({
      date: '2019-07-05',
      warning: null,
    });
    // Tokyo would explain this, but nothing says that it was there.
    const far = resolve({ header: created('2019-07-04T20:00'), path: '2019-07-05.mp4' });
    expect(far).toMatchObject({
      date: '2019-07-04',
      warning: expect.stringContaining('the file name says 07/05/2019'),
    });
  });

  it('keeps Pixel’s names, which are in UTC, apart from local ones', () => {
    const found = resolve({ header: created('2019-07-04T20:00'), path: 'PXL_20190704_200000123.mp4' });
    expect(found).toMatchObject({ date: '2019-07-04', warning: null });
    expect(resolve({ path: 'PXL_20190705_023000123.mp4' })).toMatchObject({
      date: '2019-07-04',
      warning: ZONE,
    });
  });

  it('needs a look if its name can be read in two ways, unless something settles it', () => {
    const found = resolve({ path: '07-04-2019.mp4' });
    expect(found).toMatchObject({ date: '2019-07-04', warning: 'The file name could also mean 04/07/2019.' });
    expect(found.others).toEqual([{ date: '2019-04-07', source: 'name' }]);
    expect(resolve({ path: '2019-07-04/07-04-2019.mp4' }).warning).toBeNull();
    const header = created('2019-04-07T16:00');
    expect(resolve({ path: '07-04-2019.mp4', header })).toMatchObject({ date: '2019-04-07', warning: null });
  });

  it('is never silently today, or when a file was copied', () => {
    const none = { date: null, source: null, warning: 'No date found. Enter one.', startedAt: null };
    expect(resolve({})).toMatchObject(none);
    for (const lastModified of [NOW, NOW - 86_400_000, NOW + 86_400_000, NOW + 1e10, 0, -1]) {
      expect(resolve({ lastModified })).toMatchObject(none);
    }
    expect(resolve({ lastModified: utc('2019-07-04T16:00') })).toMatchObject({
      ...{ date: '2019-07-04', source: 'modified', warning: 'This is when the file was last changed.' },
    });
    expect(resolve({ header: created('2026-03-01T16:00') }).warning).toContain('created today');
    expect(resolve({ header: created('2026-03-01T16:00'), path: '20260301_110000.mp4' }).warning).toBeNull();
    expect(resolve({ path: '2027-01-01.mp4' })).toMatchObject(none);
  });

  it('needs a look if it’s the first day of a camera’s clock', () => {
    const clock = 'Cameras use this date when their clock isn’t set.';
    for (const time of ['2000-01-01T00:07:12', '2000-01-01T16:00', '1980-01-01T12:00']) {
      expect(resolve({ header: created(time) }).warning).toBe(clock);
      expect(resolve({ header: created(time), sidecar: sidecar(time) }).warning).toBe(clock);
    }
    for (const path of ['20000101_000712.mp4', '19700101_000312.mp4']) {
      expect(resolve({ path }).warning).toBe(clock);
    }
    expect(resolve({ header: created('2000-01-01T16:00'), path: '20000101_110000.mp4' }).warning).toBe(clock);
    const party = { header: created('2000-01-01T16:00'), path: '2000-01-01 Party.mp4' };
    expect(resolve(party)).toMatchObject({ date: '2000-01-01', warning: null });
    expect(resolve({ header: created('2001-01-01T16:00') }).warning).toBeNull();
  });

  it('is the same for everyone if the offset is known, whatever else there is', () => {
    const zones = [
      'Asia/Tokyo',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'Asia/Kathmandu',
      'Europe/London',
    ];
    const instants = fc.date({
      min: new Date('1971-01-01'),
      max: new Date('2026-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), fc.constantFrom(...zones), (moment, there, home) => {
        const instant = Math.floor(moment.getTime() / 1000) * 1000;
        const offset = offsetAt(there, instant) ?? 0;
        const shown = new Date(instant + offset * 60_000).toISOString();
        const [year = 0, month = 0, day = 0] = shown.slice(0, 10).split('-').map(Number);
        const seconds = ((instant + offset * 60_000) / 1000) % 86_400;
        const local = { date: { year, month, day }, seconds, offset };
        const evidence = { ...NOTHING, header: { ...header, local, createdAt: instant } };
        const found = resolveClipDate(evidence, { zone: home, now: NOW });
        expect(found).toMatchObject({ date: shown.slice(0, 10), warning: null, startedAt: instant });
      }),
    );
  });
});

describe('a time zone', () => {
  it('has the offset of its time, also in years with other rules', () => {
    expect(offsetAt('America/New_York', utc('2019-07-04T12:00'))).toBe(-240);
    expect(offsetAt('America/New_York', utc('2019-01-04T12:00'))).toBe(-300);
    expect(offsetAt('America/New_York', utc('1974-01-20T12:00'))).toBe(-240);
    expect(offsetAt('Asia/Kathmandu', utc('2019-07-04T12:00'))).toBe(345);
    expect(offsetAt('Mars/Olympus', utc('2019-07-04T12:00'))).toBeNull();
  });

  it('turns what its clocks showed into the moment', () => {
    expect(instantOf('America/New_York', utc('2019-07-04T12:00'))).toBe(utc('2019-07-04T16:00'));
    expect(instantOf('America/New_York', utc('2019-03-10T03:30'))).toBe(utc('2019-03-10T07:30'));
  });
});
