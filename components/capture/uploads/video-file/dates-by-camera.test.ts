import { describe, expect, it } from 'vitest';
import { cameraClip, goProSettings, track } from '@/test/media/camera-clips';
import { aviClip, box, matroskaClip, mp4Clip } from '@/test/media/small-clips';
import { type ClipDate, resolveClipDate } from './clip-date';
import { WARNINGS } from './date-finding';
import { readVideoHeader } from './video-header';

const NOW = Date.UTC(2026, 5, 1);
const HOUR_MS = 3_600_000;
/** Half past nine on July 4 by the clock of the place. */
const EVENING = Date.UTC(2019, 6, 4, 21, 30, 5);
/** The same in UTC, in Tokyo. */
const IN_TOKYO = EVENING - 9 * HOUR_MS;
/** Half past two there. */
const AFTERNOON = Date.UTC(2019, 6, 4, 5, 30, 5);
const LENGTH_MS = 2000;

interface Recorded {
  name: string;
  file: Buffer;
  /** Milliseconds since 1970; by default, the file was copied, and has nothing to say by it. */
  lastModified?: number;
}

const apple = (creationdate: string, createdAt: number) =>
  cameraClip({
    createdAt,
    tracks: [track('vide', 'Core Media Video'), track('soun', 'Core Media Audio')],
    keys: { 'com.apple.quicktime.make': 'Apple', 'com.apple.quicktime.creationdate': creationdate },
  });
const android = (createdAt: number) =>
  cameraClip({
    createdAt,
    tracks: [track('vide', 'VideoHandle'), track('soun', 'SoundHandle')],
    keys: { 'com.android.version': '14' },
  });
const dji = (createdAt: number) =>
  cameraClip({
    createdAt,
    tracks: [track('vide', 'DJI.AVC'), track('meta', 'DJI.Meta')],
    userData: [box('\xa9mdl', '\0\x06\x15\xc7FC3411')],
  });
const goPro = (createdAt: number, ...userData: Buffer[]) =>
  cameraClip({ createdAt, tracks: [track('vide', 'GoPro AVC'), track('soun', 'GoPro AAC')], userData });
const nikon = (createdAt: number) =>
  cameraClip({ createdAt, tracks: [track('vide', '')], userData: [box('NCDT', Buffer.alloc(16))] });

/** Each is read in Tokyo, where evenings are nine hours ahead of UTC, and the night after is another day. */
const CAMERAS: [what: string, recorded: Recorded, expected: Partial<ClipDate>][] = [
  [
    'iPhone, with its time zone',
    { name: 'IMG_0042.MOV', file: apple('2019-07-04T21:30:05+0900', IN_TOKYO) },
    { date: '2019-07-04', warning: null, startedAt: IN_TOKYO },
  ],
  [
    'iPhone, abroad: the day is that of the place',
    { name: 'IMG_0043.MOV', file: apple('2019-07-04T21:30:05-0400', EVENING + 4 * HOUR_MS) },
    { date: '2019-07-04', warning: null, startedAt: EVENING + 4 * HOUR_MS },
  ],
  [
    'Android, in UTC',
    { name: 'VID_1.mp4', file: android(AFTERNOON) },
    { date: '2019-07-04', warning: null, startedAt: AFTERNOON },
  ],
  [
    'Android, in UTC, close to midnight',
    { name: 'VID_2.mp4', file: android(Date.UTC(2019, 6, 4, 16)) },
    { date: '2019-07-05', warning: WARNINGS.zone },
  ],
  [
    'Pixel, whose name is in UTC, too',
    { name: 'PXL_20190704_053005123.mp4', file: android(AFTERNOON) },
    { date: '2019-07-04', warning: null, startedAt: AFTERNOON },
  ],
  [
    'Samsung, whose name has the clock',
    { name: '20190704_213005.mp4', file: android(IN_TOKYO) },
    { date: '2019-07-04', warning: null, startedAt: IN_TOKYO },
  ],
  [
    'GoPro, by its clock',
    { name: 'GX010042.MP4', file: goPro(EVENING) },
    { date: '2019-07-04', warning: null, startedAt: IN_TOKYO },
  ],
  [
    'GoPro with a time zone: by the clock in its settings',
    { name: 'GX010043.MP4', file: goPro(IN_TOKYO, goProSettings(EVENING, 9 * 60)) },
    { date: '2019-07-04', warning: null },
  ],
  [
    'Nikon, by its clock',
    { name: 'DSC_0042.MOV', file: nikon(EVENING) },
    { date: '2019-07-04', warning: null, startedAt: IN_TOKYO },
  ],
  [
    'DJI, whose name has the clock',
    { name: 'DJI_20190704213005_0042_D.MP4', file: dji(IN_TOKYO) },
    { date: '2019-07-04', warning: null, startedAt: IN_TOKYO },
  ],
  [
    'DJI, whose header has the clock, as its card says',
    { name: 'DJI_0042.MP4', file: dji(EVENING), lastModified: IN_TOKYO + LENGTH_MS },
    { date: '2019-07-04', warning: WARNINGS.local, startedAt: IN_TOKYO },
  ],
  [
    'DJI, copied: its header is taken for UTC',
    { name: 'DJI_0043.MP4', file: dji(EVENING) },
    { date: '2019-07-05', warning: null, startedAt: EVENING },
  ],
  [
    'photo camera with AVI, by its clock',
    { name: 'MVI_0042.AVI', file: aviClip({ creationDate: 'Thu Jul 04 21:30:05 2019' }) },
    { date: '2019-07-04', warning: null, startedAt: IN_TOKYO },
  ],
  [
    'screen recorder with Matroska, in UTC',
    { name: 'recording.mkv', file: matroskaClip({ createdAt: AFTERNOON }) },
    { date: '2019-07-04', warning: null, startedAt: AFTERNOON },
  ],
  [
    'camcorder without a date: by its last change, which is to be checked',
    { name: '00042.MTS', file: Buffer.alloc(4 * 192, 0x47), lastModified: IN_TOKYO },
    { date: '2019-07-04', source: 'modified', warning: WARNINGS.modified, startedAt: null },
  ],
  [
    'camcorder without a date, copied today',
    { name: '00043.MTS', file: Buffer.alloc(4 * 192, 0x47), lastModified: NOW - HOUR_MS },
    { date: null, source: null, warning: WARNINGS.none },
  ],
  [
    'camera whose clock was never set',
    { name: 'MOV_0042.mp4', file: mp4Clip({ createdAt: Date.UTC(2000, 0, 1) }) },
    { date: null, source: null, warning: WARNINGS.none },
  ],
];

describe('the date of a recording of', () => {
  it.each(CAMERAS)('%s', async (_, { name, file, lastModified = null }, expected) => {
    const header = await readVideoHeader(new Blob([new Uint8Array(file)]), NOW);
    const found = resolveClipDate(
      { sidecar: null, header, location: header.location, path: name, lastModified },
      { zone: 'Asia/Tokyo', now: NOW },
    );
    expect(found).toMatchObject({ source: 'metadata', ...expected });
  });
});
