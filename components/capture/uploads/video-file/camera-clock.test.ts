import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cameraClip, goProSettings, track } from '@/test/media/camera-clips';
import { box } from '@/test/media/small-clips';
import { resolveClipDate } from './clip-date';
import { readVideoHeader } from './video-header';

const NOW = Date.UTC(2026, 5, 1);
/** 21:30:05 on July 4, by the clock. */
const CLOCK = Date.UTC(2019, 6, 4, 21, 30, 5);
const LOCAL = { date: { year: 2019, month: 7, day: 4 }, seconds: (21 * 60 + 30) * 60 + 5, offset: null };
const read = (bytes: Uint8Array) => readVideoHeader(new Blob([new Uint8Array(bytes)]), NOW);
const video = track('vide', 'Core Media Video');

describe('a camera without a time zone', () => {
  it.each([
    ['GoPro, by its video track', { tracks: [track('vide', 'GoPro AVC')] }],
    ['GoPro, by its sound', { tracks: [track('vide', ''), track('soun', 'GoPro AAC')] }],
    ['GoPro, by its timed metadata', { tracks: [track('meta', 'GoPro MET')] }],
    ['GoPro HERO3', { userData: [box('GoPr', 'HD3.02')] }],
    ['GoPro HERO4', { userData: [box('FIRM', 'HD4.02.05.00.00')] }],
    ['GoPro HERO6', { userData: [goProSettings(null)] }],
    ['Nikon', { userData: [box('NCDT', Buffer.alloc(16))] }],
  ])('writes what its clock shows: %s', async (_, facts) => {
    expect(await read(cameraClip({ createdAt: CLOCK, ...facts }))).toMatchObject({
      ...{ createdAt: null, local: LOCAL, isUtc: false, seconds: 2 },
    });
  });

  it('has the day of its clock everywhere, without a warning', async () => {
    const header = await read(cameraClip({ createdAt: CLOCK, tracks: [track('vide', 'GoPro H.265')] }));
    const evidence = { sidecar: null, header, location: null, path: 'GX010042.MP4' };
    for (const zone of ['Asia/Tokyo', 'America/New_York', 'Pacific/Kiritimati']) {
      const found = resolveClipDate({ ...evidence, lastModified: NOW - 1e9 }, { zone, now: NOW });
      expect(found).toMatchObject({ date: '2019-07-04', source: 'metadata', warning: null });
    }
  });

  it('has the day of its clock in an export, too, which takes the header’s time for UTC', async () => {
    const utc = CLOCK - 9 * 3_600_000;
    const clips = [
      [CLOCK, cameraClip({ createdAt: CLOCK, tracks: [track('vide', 'GoPro AVC')] })],
      [utc, cameraClip({ createdAt: utc, userData: [goProSettings(CLOCK, 9 * 60)] })],
    ] as const;
    for (const [instant, clip] of clips) {
      const sidecar = { instant, zone: null, isChosen: false };
      const evidence = { sidecar, header: await read(clip), location: null, path: 'GX010042.MP4' };
      const found = resolveClipDate({ ...evidence, lastModified: null }, { zone: 'Asia/Tokyo', now: NOW });
      expect(found).toMatchObject({ date: '2019-07-04', source: 'sidecar', warning: null });
    }
  });

  it('also has its clock’s time in its settings, where a time zone doesn’t change it', async () => {
    const utc = CLOCK - 9 * 3_600_000;
    const clip = cameraClip({ createdAt: utc, userData: [goProSettings(CLOCK, 9 * 60)] });
    expect(await read(clip)).toMatchObject({ createdAt: utc, local: LOCAL });
    const withoutClock = cameraClip({ createdAt: utc, userData: [goProSettings(null, 9 * 60)] });
    expect(await read(withoutClock)).toMatchObject({ createdAt: utc, local: null, isUtc: false });
  });

  it('has the header’s time if its settings say that its clock was never set, or is ahead by years', async () => {
    for (const clock of [0, Date.UTC(2000, 0, 1), Date.UTC(2040, 0, 1)]) {
      const clip = cameraClip({ createdAt: CLOCK, userData: [goProSettings(clock)] });
      expect(await read(clip)).toMatchObject({ createdAt: null, local: LOCAL });
    }
    expect(await read(cameraClip({ userData: [goProSettings(null)] }))).toMatchObject({
      ...{ createdAt: null, local: null },
    });
  });
});

describe('another device', () => {
  it.each([
    ['a phone', { tracks: [video], keys: { 'com.android.version': '14' } }, true],
    ['an iPhone', { tracks: [video], keys: { 'com.apple.quicktime.make': 'Apple' } }, true],
    ['a camera', { tracks: [video], userData: [box('CNTH', Buffer.alloc(16))] }, false],
    ['a program', { tracks: [track('vide', 'VideoHandler')], userData: [box('\xa9too', 'Lavf')] }, false],
    ['a title with the name', { keys: { title: 'GoPro AVC' } }, false],
  ])('writes UTC, as far as one knows: %s', async (_, facts, isUtc) => {
    expect(await read(cameraClip({ createdAt: CLOCK, ...facts }))).toMatchObject({
      ...{ createdAt: CLOCK, local: null, isUtc },
    });
  });
});

it('reads settings without an error, whatever they are', async () => {
  const sample = cameraClip({ createdAt: CLOCK, userData: [goProSettings(CLOCK)] });
  const from = sample.indexOf('GPMF');
  const changes = fc.array(fc.tuple(fc.nat({ max: 70 }), fc.nat({ max: 255 })), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(changes, async (edits) => {
      const bytes = Uint8Array.from(sample);
      for (const [at, value] of edits) bytes[from + 4 + (at % (sample.length - from - 4))] = value;
      expect(await read(bytes)).toMatchObject({ createdAt: null, local: expect.anything() });
    }),
  );
});
