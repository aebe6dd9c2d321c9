import { toneMapOf } from './color';
import { MediaError } from './errors';
import { runSuccessfully } from './ffmpeg';
import { inputOf } from './ffmpeg-run';
import type { MediaInput, MediaProbe } from './media-probe';
import { probe } from './probe';
import { audioEncoding, DECODING, mapping, videoEncoding } from './rendition';
import { smallSize } from './rendition-plan';

/** Connections that play this carry most phones' recordings, too. */
const ENOUGH_BITS_PER_SECOND = 4_000_000;
/** A little more than 30, since measured rates vary. */
const MAX_RATE = 31;
const MAX_PIXELS_PER_SECOND = 1920 * 1080 * MAX_RATE;

/** Together 0.7 Mbit/s at most, 5 MB a minute. */
const VIDEO_BITS_PER_SECOND = 600_000;
const AUDIO_BITS_PER_SECOND = 96_000;

type Measured = Pick<MediaProbe, 'durationSeconds' | 'sizeBytes' | 'video'>;

const rateOf = ({ durationSeconds, video }: Measured): number => video.frames / durationSeconds;

/**
 * Returns whether a video gets a small rendition, since slow connections or devices don't keep up with it: it's above
 * 4 Mbit/s, or above 1080p at 30 frames a second.
 */
export function needsSmall(source: Measured): boolean {
  const { durationSeconds, sizeBytes, video } = source;
  return (
    sizeBytes * 8 > ENOUGH_BITS_PER_SECOND * durationSeconds ||
    video.width * video.height * rateOf(source) > MAX_PIXELS_PER_SECOND
  );
}

/**
 * Returns the filter that leaves out frames above 30 a second. Those that stay keep their own times, which a constant rate
 * would move.
 */
function rateFilters(source: Measured): string[] {
  if (rateOf(source) <= MAX_RATE) return [];
  return [`select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${1 / MAX_RATE})`];
}

const maxBytes = ({ durationSeconds }: MediaProbe): number =>
  Math.ceil(((VIDEO_BITS_PER_SECOND + AUDIO_BITS_PER_SECOND) / 8) * (durationSeconds + 2) * 1.5 + 2_000_000);

/**
 * Writes a small version of a final video: 480p at most, 30 frames a second, and 0.7 Mbit/s, otherwise as
 * `makeRendition` encodes. Its times are those of the video, so a player can change from one to the other.
 * @param maxSeconds the wall-clock time limit
 * @throws MediaError
 */
export async function makeSmallRendition(
  { tool, input, source, signal }: MediaInput,
  output: string,
  maxSeconds: number,
): Promise<MediaProbe> {
  const deadline = Date.now() + maxSeconds * 1000;
  const encoding = {
    ...smallSize(source.video),
    crf: 25,
    maxBitsPerSecond: VIDEO_BITS_PER_SECOND,
    filters: rateFilters(source),
  };
  await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    inputArgs: DECODING,
    args: [
      ...mapping(source),
      ...videoEncoding(source, encoding),
      ...audioEncoding(source, AUDIO_BITS_PER_SECOND),
      ...['-t', String(source.durationSeconds + 1), '-max_muxing_queue_size', '4096'],
      ...['-movflags', '+faststart', '-f', 'mp4'],
    ],
    output: { path: output },
    // Videos from before HDR was mapped still have it.
    toneMap: toneMapOf(source.video),
    maxOutputBytes: maxBytes(source),
    maxSeconds,
    signal,
  });
  const made = await probe(tool, output, {
    maxSeconds: Math.max(0.1, (deadline - Date.now()) / 1000),
    signal,
  });
  if (Math.abs(made.durationSeconds - source.durationSeconds) > source.durationSeconds * 0.02 + 0.5)
    throw new MediaError('failed', `The small rendition lasts ${made.durationSeconds} s.`);
  return made;
}
