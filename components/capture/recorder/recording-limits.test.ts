import { expect, it } from 'vitest';
import { recordingLimits, watchLimits } from './recording-limits';

const RATE = 340_000;
const after = (seconds: number) => ({ seconds, bytes: seconds * RATE });

it('warns a minute before the longest recording, once, and stops just before its end', () => {
  const check = watchLimits({ bytes: 4e9, seconds: 600 });
  expect(check(after(539))).toEqual({});
  expect(check(after(541))).toEqual({ warning: expect.stringContaining('up to 10 minutes here') });
  expect(check(after(542))).toEqual({});
  expect(check(after(598.9))).toEqual({});
  expect(check(after(599))).toEqual({
    reached: 'Videos can be up to 10 minutes here, so recording stopped.',
  });
});

it('goes by the size where that’s reached first', () => {
  const check = watchLimits({ bytes: 100 * RATE, seconds: 600 });
  expect(check(after(39))).toEqual({});
  expect(check(after(41))).toEqual({ warning: expect.stringContaining('up to 34 MB here') });
  expect(check(after(99))).toEqual({ reached: 'Videos can be up to 34 MB here, so recording stopped.' });
});

it('lets a recording of any length reach the largest file', () => {
  const check = watchLimits({ bytes: 4e9, seconds: null });
  expect(check(after(11_000))).toEqual({});
  expect(check(after(11_764))).toEqual({ reached: expect.stringContaining('4 GB') });
});

it('lets what’s only copied be longer than what has to be encoded', () => {
  const limits = { bytes: 150e6, seconds: 135, copiedSeconds: null };
  const hd = { width: 1920, height: 1080 };
  const copied = { bytes: 150e6, seconds: null };
  expect(recordingLimits(limits, 'video/mp4;codecs=avc1.42E01E,opus', hd)).toEqual(copied);
  expect(
    recordingLimits(limits, 'video/mp4;codecs=avc1.42E01E,mp4a.40.2', { width: 720, height: 1280 }),
  ).toEqual(copied);
  expect(recordingLimits(limits, 'video/webm;codecs=vp8,opus', hd)).toBe(limits);
  expect(recordingLimits(limits, 'video/mp4', hd)).toBe(limits);
  expect(recordingLimits(limits, 'video/mp4;codecs=avc1.42E01E,opus', { width: 3840, height: 2160 })).toBe(
    limits,
  );
  expect(recordingLimits(limits, 'video/mp4;codecs=avc1.42E01E,opus', {})).toBe(limits);
  const forAll = { bytes: 150e6, seconds: 600 };
  expect(recordingLimits(forAll, 'video/mp4;codecs=avc1.42E01E,opus', hd)).toEqual(forAll);
});
