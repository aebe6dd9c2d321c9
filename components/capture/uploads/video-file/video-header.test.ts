import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { h264Mp4, matroskaNamedMp4 } from '@/test/media/clips';
import { aviClip, box, matroskaClip, movieHeader, mp4Clip, quickTimeMeta } from '@/test/media/small-clips';
import { NO_HEADER, readVideoHeader } from './video-header';

const NOW = Date.UTC(2026, 5, 1);
const CREATED = Date.UTC(2019, 6, 4, 19, 30, 5);
const LOCAL = { date: { year: 2019, month: 7, day: 4 }, seconds: (21 * 60 + 30) * 60 + 5 };
const read = (bytes: Uint8Array) => readVideoHeader(new Blob([new Uint8Array(bytes)]), NOW);

const text = (value: string) =>
  Buffer.concat([Buffer.from([0, value.length, 0x15, 0xc7]), Buffer.from(value)]);
const movie = (...boxes: Buffer[]) => Buffer.concat([box('ftyp', 'isom0000'), box('moov', ...boxes)]);
const largeTrack = box('trak', Buffer.alloc(20_000_000));

describe('an MP4 or QuickTime file', () => {
  it('says when and where it was recorded, and what the clock showed there', async () => {
    const clip = mp4Clip({
      ...{ createdAt: CREATED, seconds: 7, location: '+52.5200+013.4050+034.000/' },
      creationDate: '2019-07-04T21:30:05+0200',
    });
    expect(await read(clip)).toEqual({
      ...NO_HEADER,
      ...{ createdAt: CREATED, isUtc: true, seconds: 7, location: { latitude: 52.52, longitude: 13.405 } },
      local: { ...LOCAL, offset: 120 },
    });
  });

  it('may have this in user data, as other phones write it', async () => {
    const udta = box(
      'udta',
      box('\xa9xyz', text('-33.8688+151.2093/')),
      box('\xa9day', text('2019-07-04T21:30:05+02:00')),
    );
    expect(await read(movie(movieHeader({ createdAt: CREATED }), udta))).toMatchObject({
      ...{ local: { ...LOCAL, offset: 120 }, location: { latitude: -33.8688, longitude: 151.2093 } },
    });
    const day = box('\xa9day', box('data', Buffer.alloc(8), '2019-07-04 21:30:05'));
    const nested = box('udta', box('meta', Buffer.alloc(4), box('hdlr', Buffer.alloc(24)), box('ilst', day)));
    expect((await read(movie(movieHeader({}), nested))).local).toEqual({ ...LOCAL, offset: null });
  });

  it('is read in large files, whose header is large, and last', async () => {
    const large = Buffer.concat([
      box('ftyp', 'isom0000'),
      Buffer.from([0, 0, 0, 1, ...Buffer.from('mdat'), 0, 0, 0, 0, 0, 0x10, 0, 0]),
      Buffer.alloc(0x10_0000 - 16),
      box(
        'moov',
        largeTrack,
        movieHeader({ createdAt: CREATED }),
        quickTimeMeta({ 'com.apple.quicktime.creationdate': '2019-07-04T21:30:05+0200' }),
      ),
    ]);
    const blob = new Blob([new Uint8Array(large)]);
    let bytes = 0;
    const slice = blob.slice.bind(blob);
    blob.slice = (start = 0, end = blob.size) => {
      bytes += Math.min(end, blob.size) - start;
      return slice(start, end);
    };
    expect(await readVideoHeader(blob, NOW)).toMatchObject({
      createdAt: CREATED,
      local: { ...LOCAL, offset: 120 },
    });
    expect(bytes).toBeLessThan(50_000);
  });

  it('keeps what was read before a damaged part', async () => {
    const damaged = movie(movieHeader({ createdAt: CREATED }), box('udta', Buffer.from([0, 0])), box('meta'));
    expect((await read(damaged)).createdAt).toBe(CREATED);
  });

  it('has no place at zero and zero, and none outside the world', async () => {
    for (const location of ['+00.0000+000.0000/', '+99.0000+013.4050/', 'Berlin', '']) {
      expect((await read(mp4Clip({ createdAt: CREATED, location }))).location).toBeNull();
    }
  });

  it.each([Date.UTC(1970, 0, 1, 5), Date.UTC(1980, 0, 1), Date.UTC(2000, 0, 1), NOW + 2 * 86_400_000])(
    'has no time by a clock that was never set, or in the future (%#)',
    async (createdAt) => {
      expect((await read(mp4Clip({ createdAt }))).createdAt).toBeNull();
      const creationDate = new Date(createdAt).toISOString().replace('.000Z', '+00:00');
      expect((await read(mp4Clip({ creationDate }))).local).toBeNull();
    },
  );

  it('is read as ffmpeg writes it', async () => {
    const bytes = await readFile(await h264Mp4());
    expect(await read(bytes)).toMatchObject({ createdAt: Date.UTC(2026, 2, 1, 8, 30), local: null });
  });
});

describe('a Matroska file', () => {
  it('says when it was recorded, and how long it is', async () => {
    const clip = matroskaClip({
      createdAt: CREATED,
      creationDate: '2019-07-04T21:30:05+02:00',
      seconds: 3.5,
    });
    expect(await read(clip)).toEqual({
      ...NO_HEADER,
      ...{ createdAt: CREATED, local: { ...LOCAL, offset: 120 }, seconds: 3.5 },
    });
  });

  it('is read as ffmpeg writes it', async () => {
    expect((await read(await readFile(await matroskaNamedMp4()))).seconds).toBeCloseTo(4, 0);
  });
});

describe('an AVI file', () => {
  it.each([
    'Thu Jul 04 21:30:05 2019',
    'THU JUL 04 21:30:05 2019',
    '2019:07:04 21:30:05',
    '2019-07-04 21:30:05',
  ])('says what the clock showed: %s', async (creationDate) => {
    expect(await read(aviClip({ creationDate, seconds: 4 }))).toEqual({
      ...NO_HEADER,
      ...{ local: { ...LOCAL, offset: null }, seconds: 4 },
    });
  });

  it('may say only the day, or nothing', async () => {
    expect((await read(aviClip({ creationDate: '2019-07-04' }))).local).toEqual({
      ...{ date: LOCAL.date, seconds: null, offset: null },
    });
    expect((await read(aviClip({ creationDate: 'Thu Jul 44 21:30:05 2019' }))).local).toBeNull();
  });
});

describe('a hostile file', () => {
  const samples = [
    mp4Clip({ createdAt: CREATED, creationDate: '2019-07-04T21:30:05+0200', location: '+52.52+013.40/' }),
    matroskaClip({ createdAt: CREATED, creationDate: '2019-07-04 21:30:05' }),
    aviClip({ creationDate: '2019-07-04 21:30:05' }),
  ];

  it('is read without an error, whatever is changed or missing in it', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 7, 8, 127, 128, 255)), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), changes, fc.nat(), async (sample, edits, end) => {
        const bytes = Uint8Array.from(sample);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        const found = await read(end % 3 === 0 ? bytes.subarray(0, end % bytes.length) : bytes);
        expect(Object.keys(found).toSorted()).toEqual(Object.keys(NO_HEADER).toSorted());
        if (found.createdAt !== null) expect(Number.isFinite(found.createdAt)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is given up after a bounded number of reads', async () => {
    const empty = box('free');
    const meta = box(
      'meta',
      Buffer.alloc(4),
      box('ilst', ...Array.from({ length: 250 }, () => box('item', ...Array<Buffer>(250).fill(empty)))),
    );
    const blob = new Blob([
      new Uint8Array(movie(movieHeader({ createdAt: CREATED }), ...Array<Buffer>(250).fill(meta))),
    ]);
    let reads = 0;
    const slice = blob.slice.bind(blob);
    blob.slice = (start, end) => {
      reads += 1;
      return slice(start, end);
    };
    expect((await readVideoHeader(blob, NOW)).createdAt).toBe(CREATED);
    expect(reads).toBeLessThan(5000);
  });

  it.each([
    [Buffer.alloc(0)],
    [Buffer.alloc(15)],
    [Buffer.alloc(100)],
    [Buffer.from('just a text, nothing else')],
  ])('says nothing if it’s no video (%#)', async (bytes) => {
    expect(await read(bytes)).toEqual(NO_HEADER);
  });
});
