import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { countedBlob } from '@/test/media/counted-blob';
import { type FormatClip, formatClip, soundNames, videoNames } from '@/test/media/format-clips';
import { box, uint32 } from '@/test/media/small-clips';
import {
  contentEncodings,
  dolbyVisionBox,
  dolbyVisionMapping,
  flashTag,
  flashVideo,
  matroskaWithTracks,
  mp4WithTracks,
  protection,
  replaced,
  soundEntry,
  trackBox,
  trackEntry,
  visualEntry,
} from '@/test/media/track-clips';
import { findRefusal } from './refusal';

const SOUND_ONLY = 'This file has sound only.';
const PROTECTED = 'This video is protected (DRM), so only the app it came from can play it.';
const DOLBY_VISION =
  'This video is in Dolby Vision profile 5, which other players show in the wrong colors. Export it as HDR10, HLG, or SDR, and upload that.';
const PLAYLIST = 'This file only links to a video. Upload the video itself.';
const unreadable = (name: string) =>
  `This video is in a format we can’t read (${name}). Export it as MP4, and upload that.`;

const refusalOf = (content: Uint8Array | string) => findRefusal(new Blob([Buffer.from(content)]));
const sound = trackBox('soun', soundEntry('mp4a'));
const pictures = (...entries: Uint8Array[]) => mp4WithTracks(sound, trackBox('vide', ...entries));

describe('a video that can be played', () => {
  it.each(videoNames)('isn’t refused: %s', async (name) => {
    expect(await findRefusal(await openAsBlob(await formatClip(name)))).toBeNull();
  });

  it('isn’t refused for its sound, whatever that is', async () => {
    for (const codec of ['enca', 'drms', 'ac-4', 'apac', 'zzzz']) {
      const tracks = [trackBox('vide', visualEntry('avc1')), trackBox('soun', soundEntry(codec))];
      expect(await refusalOf(mp4WithTracks(...tracks)), codec).toBeNull();
    }
    const encrypted = trackEntry(2, 'A_AAC', contentEncodings(1));
    expect(await refusalOf(matroskaWithTracks(trackEntry(1, 'V_VP9'), encrypted))).toBeNull();
  });

  it('isn’t refused if it has pictures that can be shown beside others that can’t', async () => {
    const enhanced = mp4WithTracks(
      trackBox('vide', visualEntry('avc1')),
      trackBox('vide', visualEntry('lvc1')),
    );
    expect(await refusalOf(enhanced)).toBeNull();
    expect(await refusalOf(pictures(visualEntry('vvc1'), visualEntry('avc1')))).toBeNull();
    expect(
      await refusalOf(pictures(visualEntry('avc1'), visualEntry('encv', protection('avc1')))),
    ).toBeNull();
  });

  it('isn’t refused for a codec that nobody has heard of', async () => {
    expect(await refusalOf(pictures(visualEntry('zzzz')))).toBeNull();
    expect(await refusalOf(matroskaWithTracks(trackEntry(1, 'V_FUTURE')))).toBeNull();
  });

  it('isn’t refused if its tracks are only compressed, or restricted', async () => {
    expect(await refusalOf(matroskaWithTracks(trackEntry(1, 'V_VP9', contentEncodings(0))))).toBeNull();
    expect(await refusalOf(pictures(visualEntry('resv', box('rinf', box('frma', 'avc1')))))).toBeNull();
  });
});

describe('a file with sound only', () => {
  it.each(soundNames)('is refused: %s', async (name) => {
    expect(await findRefusal(await openAsBlob(await formatClip(name)))).toBe(SOUND_ONLY);
  });

  it.each(['MThd\0\0\0\x06', '#!AMR\n', 'MAC ', 'wvpk'])(
    'is refused by its first bytes: %j',
    async (start) => {
      expect(await refusalOf(start)).toBe(SOUND_ONLY);
    },
  );

  it('isn’t refused if pictures may follow: a header that’s cut off, or a stream of an unknown type', async () => {
    const clip = mp4WithTracks(sound, trackBox('vide', visualEntry('avc1')));
    expect(await refusalOf(clip.subarray(0, clip.indexOf('vide') - 30))).toBeNull();
    const stream = await readFile(await formatClip('aac.ts'));
    expect(await refusalOf(replaced(stream, [0x0f, 0xe1, 0], [0x99, 0xe1, 0]))).toBeNull();
  });
});

describe('a protected video', () => {
  it.each([
    ['MP4 with Common Encryption', pictures(visualEntry('encv', protection('avc1')))],
    ['a rented video', pictures(visualEntry('drmi'))],
    ['an entry with a protection scheme', pictures(visualEntry('p264', protection('avc1')))],
    ['encrypted Matroska', matroskaWithTracks(trackEntry(1, 'V_VP9', contentEncodings(1)))],
    ['encrypted Flash', flashVideo(flashTag(0x29, Buffer.alloc(8)))],
  ])('is refused: %s', async (_, content) => {
    expect(await refusalOf(content)).toBe(PROTECTED);
  });

  it('is refused as Windows Media', async () => {
    const clip = await readFile(await formatClip('wmv2.wmv'));
    const codecList = [0x40, 0x52, 0xd1, 0x86, 0x1d, 0x31, 0xd0, 0x11];
    const tail = [0xa3, 0xa4, 0, 0xa0, 0xc9, 3, 0x48, 0xf6];
    const encryption = [
      0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11, 0xb4, 0xb7, 0, 0xa0, 0xc9, 0x55, 0xfc, 0x6e,
    ];
    expect(await refusalOf(replaced(clip, [...codecList, ...tail], encryption))).toBe(PROTECTED);
  });
});

describe('Dolby Vision', () => {
  it.each([
    ['dvh1', dolbyVisionBox(5)],
    ['dvhe', dolbyVisionBox(5)],
    ['hvc1', dolbyVisionBox(5)],
  ])('profile 5 is refused in an entry %s', async (type, record) => {
    expect(await refusalOf(pictures(visualEntry(type, box('hvcC', Buffer.alloc(23)), record)))).toBe(
      DOLBY_VISION,
    );
  });

  it('profile 5 is refused in Matroska, and in a transport stream', async () => {
    const entry = trackEntry(1, 'V_MPEGH/ISO/HEVC', dolbyVisionMapping(5));
    expect(await refusalOf(matroskaWithTracks(entry))).toBe(DOLBY_VISION);
    const stream = await readFile(await formatClip('hevc.ts'));
    // Its registration, HEVC, becomes the descriptor of Dolby Vision.
    const descriptor = [0xb0, 4, 1, 0, 5 << 1, 0x35];
    expect(await refusalOf(replaced(stream, [5, 4, ...Buffer.from('HEVC')], descriptor))).toBe(DOLBY_VISION);
  });

  it.each([4, 7, 8, 9, 10])('profile %i isn’t refused, since others can play it', async (profile) => {
    expect(await refusalOf(pictures(visualEntry('hvc1', dolbyVisionBox(profile, 1))))).toBeNull();
  });

  it('isn’t confused with DVCPRO HD, which has the same name', async () => {
    expect(await refusalOf(pictures(visualEntry('dvh1')))).toBeNull();
  });
});

describe('a format that can’t be read', () => {
  it.each([
    ['mpeg2.mxf', 'MXF'],
    ['rv10.rm', 'RealMedia'],
    ['mpeg2.wtv', 'Windows Recorded TV'],
    ['spark.swf', 'Flash'],
  ] satisfies [FormatClip, string][])('is named: %s is %s', async (clip, name) => {
    expect(await findRefusal(await openAsBlob(await formatClip(clip)))).toBe(unreadable(name));
  });

  it.each([
    ['Canon Cinema RAW', box('ftyp', 'crx ', uint32(1), 'crx isom')],
    ['Canon Cinema RAW', pictures(visualEntry('CRAW'))],
    ['Blackmagic RAW', pictures(visualEntry('brxq'))],
    ['REDCODE RAW', Buffer.from('\0\0\x01\x3cRED2\x02\0\0\0')],
    ['REDCODE RAW', Buffer.from('\0\0\x01\0RED1\x02\0\0\0')],
    ['Apple ProRes RAW', pictures(visualEntry('aprn'))],
    ['H.266, VVC', pictures(visualEntry('vvc1'))],
    ['H.266, VVC', pictures(visualEntry('vvi1'), visualEntry('vvc1'))],
    ['H.266, VVC', matroskaWithTracks(trackEntry(1, 'V_MPEGI/ISO/VVC'))],
    ['MPEG-5 EVC', pictures(visualEntry('evc1'))],
    ['LCEVC', pictures(visualEntry('lvc1'))],
    ['APV', pictures(visualEntry('apv1'))],
  ])('is named: %s (%#)', async (name, content) => {
    expect(await refusalOf(content)).toBe(unreadable(name));
  });

  it('is named in a transport stream', async () => {
    const stream = await readFile(await formatClip('h264.ts'));
    expect(await refusalOf(replaced(stream, [0x1b, 0xe1, 0], [0x33, 0xe1, 0]))).toBe(
      unreadable('H.266, VVC'),
    );
  });
});

describe('what people take for a video', () => {
  it.each([
    ['#EXTM3U\n#EXT-X-VERSION:3\n'],
    ['\ufeff#EXTM3U\n'],
    ['<?xml version="1.0"?>\n<!-- a comment -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">'],
  ])('is refused as a list of links: %j', async (text) => {
    expect(await refusalOf(text)).toBe(PLAYLIST);
  });

  it.each(['CD001', 'BEA01'])('is refused as the image of a disk: %s', async (id) => {
    const image = Buffer.alloc(40_000);
    image.write(id, 32_769);
    expect(await refusalOf(image)).toBe('This is a disk image. Upload the videos on it.');
  });

  it('is refused as the index of a DVD', async () => {
    expect(await refusalOf('DVDVIDEO-VTS\0\0')).toBe(
      'This file only lists what’s on a DVD. Upload the VOB files from the same folder.',
    );
  });

  it.each([
    '',
    'notes',
    'RIFF\0\0\0\0WEBP',
    'FORM\0\0\0\0ILBM',
    '<?xml version="1.0"?><html>',
    '\xff\xd8\xff',
    'FWS is a word',
  ])('isn’t named if it’s something else: %j', async (content) => {
    expect(await refusalOf(content)).toBeNull();
  });
});

it('reads little of a large file, whose header is last', async () => {
  const large = mp4WithTracks(
    sound,
    box('udta', Buffer.alloc(9_000_000)),
    trackBox('vide', visualEntry('vvc1')),
  );
  const { blob, counts } = countedBlob(large);
  expect(await findRefusal(blob)).toBe(unreadable('H.266, VVC'));
  expect(counts.bytes).toBeLessThan(50_000);
});
