import { expect, it } from 'vitest';
import { cameraClip, stillTimeTrack, track } from '@/test/media/camera-clips';
import { readVideoHeader } from './video-header';

const IDENTIFIER = { 'com.apple.quicktime.content.identifier': '4636F170-F379-42AC-9CEA-20233E95936F' };
const video = track('vide', 'Core Media Video');
const marksOf = async (facts: Parameters<typeof cameraClip>[0]) =>
  (await readVideoHeader(new Blob([new Uint8Array(cameraClip(facts))]))).livePhoto;

it('finds what marks the video of a Live Photo', async () => {
  expect(await marksOf({ tracks: [video, stillTimeTrack()], keys: IDENTIFIER })).toEqual({
    ...{ hasIdentifier: true, hasStillTime: true },
  });
  expect(await marksOf({ tracks: [video], keys: IDENTIFIER })).toEqual({
    ...{ hasIdentifier: true, hasStillTime: false },
  });
  const otherTimes = track('meta', 'Core Media Metadata');
  expect(
    await marksOf({ tracks: [video, otherTimes], keys: { 'com.apple.quicktime.make': 'Apple' } }),
  ).toEqual({
    ...{ hasIdentifier: false, hasStillTime: false },
  });
});
