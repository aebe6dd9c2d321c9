/** Milliseconds between slices, and between key frames. Chromium ends the slices of an MP4 at key frames only. */
export const SLICE_INTERVAL = 250;
export const KEY_FRAME_INTERVAL = 500;

/** Bytes of a second: MediaRecorder's own rate for video (2.5 Mbit/s in Chromium), and its sound. */
export const BYTES_PER_SECOND = 340_000;

/**
 * In order of preference: H.264 can be played without a transcode, and MP4 knows its duration. `avc3` repeats the
 * parameter sets, which a phone needs that is turned while it records; with `avc1` what follows cannot be decoded.
 */
const FORMATS = [
  'video/mp4;codecs=avc3.42E01E,opus',
  'video/mp4;codecs=avc1.42E01E,opus',
  'video/mp4;codecs=avc1.42E01E,mp4a.40.2',
  'video/webm;codecs=vp9,opus',
  'video/webm;codecs=vp8,opus',
  'video/webm',
];

/** The format to ask MediaRecorder for; undefined leaves the choice to the browser. */
export function recordingFormat(): string | undefined {
  return FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
}

/** One file of a recording's slices, with the name and type that say what was recorded. */
export function recordingFile(slices: Blob[], recordedAs: string): File {
  const mp4 = recordedAs.startsWith('video/mp4');
  return new File(slices, mp4 ? 'browser_uploaded.mp4' : 'browser_uploaded.webm', {
    type: mp4 ? 'video/mp4' : 'video/webm',
  });
}
