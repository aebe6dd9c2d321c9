import { describe, expect, it, vi } from 'vitest';
import { matroskaClip } from '@/test/media/small-clips';
import { getRecordedDate, titleFromName } from './file-date';
import { readVideoHeader } from './video-header';

const day = { year: 2024, month: 1, day: 31 };
/** Noon UTC of that day is that day in nearly every time zone. */
const NOON = Date.UTC(2024, 0, 31, 12);

const bytes = (text: string) => [...text].map((char) => char.charCodeAt(0));
const number = (value: number, length: number) =>
  Array.from({ length }, (_, at) => Math.floor(value / 256 ** (length - 1 - at)) % 256);
const box = (name: string, content: number[]) => [
  ...number(content.length + 8, 4),
  ...bytes(name),
  ...content,
];
const file = (content: number[], name = 'clip.mp4') => new File([new Uint8Array(content)], name);

const seconds = NOON / 1000 + 2_082_844_800;
const mvhd = (version: 0 | 1, made: number) =>
  box('mvhd', [version, 0, 0, 0, ...number(made, version ? 8 : 4), ...Array<number>(80).fill(0)]);

const recordedDate = async (video: File) => getRecordedDate(await readVideoHeader(video), video);

describe('the recorded date', () => {
  it.each([
    ['of 32 bits', mvhd(0, seconds)],
    ['of 64 bits', mvhd(1, seconds)],
  ])('is read from the movie header, with times %s', async (_, header) => {
    const content = [...box('ftyp', bytes('isom0000')), ...box('mdat', [1, 2, 3]), ...box('moov', header)];
    expect(await recordedDate(file(content))).toEqual(day);
  });

  it('is read from Matroska’s DateUTC', async () => {
    expect(await recordedDate(file([...matroskaClip({ createdAt: NOON })], 'clip.mkv'))).toEqual(day);
  });

  it('comes from the name if the header has none', async () => {
    const content = [...box('ftyp', bytes('isom0000')), ...box('moov', mvhd(0, 0))];
    expect(await recordedDate(file(content, 'VID_20240131_120000.mp4'))).toEqual(day);
    expect(await recordedDate(file(content))).toBeNull();
  });

  it('is the clock’s if the file was last changed then, and never only that of the last change', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const made = (at: number, lastModified: number) => {
      const header = mvhd(0, at === 0 ? 0 : at / 1000 + 2_082_844_800);
      const content = new Uint8Array([...box('ftyp', bytes('isom0000')), ...box('moov', header)]);
      return recordedDate(new File([content], 'clip.mp4', { lastModified }));
    };
    const [clock, changed] = [Date.UTC(2024, 0, 31, 21, 30), Date.UTC(2024, 0, 31, 12, 31)];
    expect(await made(clock, changed)).toEqual(day);
    expect(await made(clock, NOON + 1e10)).toEqual({ year: 2024, month: 2, day: 1 });
    expect(await made(0, changed)).toBeNull();
    vi.unstubAllEnvs();
  });

  it.each([[[]], [[0]], [box('moov', [])], [[0, 0, 0, 0, ...bytes('moov'), 1, 2]], [bytes('just a text')]])(
    'is unknown for what is no video (%#)',
    async (content) => {
      expect(await recordedDate(file(content))).toBeNull();
    },
  );
});

it.each([
  ['VID_20240131_120000.mp4', 'Video from January 31, 2024'],
  ['IMG_4711.MOV', 'Video from January 31, 2024'],
  ['first_steps-2024-01-31.mp4', 'First steps'],
  ['Granny’s birthday.webm', 'Granny’s birthday'],
  ['July 4th, 2019 Fireworks.mp4', 'Fireworks'],
  ['May and Tim 2019.mp4', 'May and Tim'],
  ['04_1.mp4', 'Video from January 31, 2024'],
  ['Été à la mer.mov'.normalize('NFD'), 'Été à la mer'],
])('suggests a title for %s', (name, title) => {
  expect(titleFromName(name, day)).toBe(title);
});
