import { stat } from 'node:fs/promises';
import { pictureFilters, toneMapOf } from './color';
import { MediaError } from './errors';
import { runSuccessfully } from './ffmpeg';
import { inputOf } from './ffmpeg-run';
import type { MediaInput, MediaProbe } from './media-probe';
import { scaleEvenly } from './rendition-plan';

/** The layout of a video's thumbnails in one large image: row by row, one for every `everySeconds`. */
export interface Storyboard {
  everySeconds: number;
  count: number;
  columns: number;
  /** The size of one thumbnail, in pixels. */
  width: number;
  height: number;
}

/** 100 thumbnails are about 400 kB. */
const MAX_PICTURES = 100;
const COLUMNS = 10;
const MIN_SECONDS = 1;
/** The pixels in a thumbnail: 160 × 90, or the same area in another shape. */
const AREA = 160 * 90;
const LONGEST_EDGE = 320;
const MAX_BYTES = 2_000_000;
/** Key frames this far apart, or a tenth of the video, are still close enough to tell moments apart. */
const SPARSE_SECONDS = 10;
/** Decoding every frame costs 25 times as much as the key frames alone: 5 CPU seconds per minute at 720p. */
const MAX_DECODED_SECONDS = 300;

/**
 * Decides how to make a video's storyboard. Decodes only key frames if they're close enough together, at an interval
 * that they can fill; decodes a short video without them completely.
 * @returns null for a video that's too short to preview, or would cost too much
 */
function planStoryboard({
  durationSeconds,
  video,
}: MediaProbe): (Storyboard & { keyFramesOnly: boolean }) | null {
  const finest = Math.max(MIN_SECONDS, durationSeconds / MAX_PICTURES);
  const byKeyFrames = Math.max(finest, video.keyFrameGap);
  const keyFramesOnly = byKeyFrames <= Math.max(SPARSE_SECONDS, durationSeconds / 10);
  if (!keyFramesOnly && durationSeconds > MAX_DECODED_SECONDS) return null;
  const everySeconds = Math.ceil((keyFramesOnly ? byKeyFrames : finest) * 1000) / 1000;
  const count = Math.min(Math.ceil(durationSeconds / everySeconds), MAX_PICTURES);
  if (count < 2) return null;
  const scale = Math.min(
    Math.sqrt(AREA / (video.width * video.height)),
    LONGEST_EDGE / Math.max(video.width, video.height),
  );
  return {
    everySeconds,
    count,
    columns: Math.min(COLUMNS, count),
    ...scaleEvenly(video, scale),
    keyFramesOnly,
  };
}

/**
 * Writes a JPEG of many thumbnails, which the player shows while someone scrubs. Each is the last frame decoded
 * before the middle of its interval.
 * Needs a seekable video, such as the final one.
 * @returns the layout; null if there are no thumbnails ({@link planStoryboard})
 * @throws MediaError
 */
export async function makeStoryboard(
  { tool, input, source, signal }: MediaInput,
  output: string,
): Promise<Storyboard | null> {
  const plan = planStoryboard(source);
  if (!plan) return null;
  const { keyFramesOnly, ...storyboard } = plan;
  const { everySeconds, columns, width, height, count } = storyboard;
  const rows = Math.ceil(count / columns);
  await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    toneMap: toneMapOf(source.video),
    inputArgs: keyFramesOnly ? ['-skip_frame', 'nokey'] : [],
    args: [
      ...['-map', `0:${source.video.index}`, '-an', '-frames:v', '1', '-fps_mode', 'passthrough'],
      '-vf',
      [
        `fps=1/${everySeconds}:start_time=0:round=near:eof_action=pass`,
        ...pictureFilters(source.video, `w=${width}:h=${height}:flags=fast_bilinear`, 'jpeg'),
        'setsar=1',
        // The last key frame comes before the end, and is used for what follows it.
        'tpad=stop=-1:stop_mode=clone',
        `trim=end_frame=${count}`,
        `tile=${columns}x${rows}`,
      ].join(','),
      ...['-c:v', 'mjpeg', '-q:v', '6', '-flags', '+bitexact', '-f', 'mjpeg'],
    ],
    output: { path: output },
    maxSeconds: 30 + source.durationSeconds / 4,
    maxOutputBytes: MAX_BYTES,
    signal,
  });
  const { size } = await stat(/*turbopackIgnore: true*/ output);
  if (size === 0 || size > MAX_BYTES * 0.97) throw new MediaError('failed', `A storyboard of ${size} bytes.`);
  return storyboard;
}
