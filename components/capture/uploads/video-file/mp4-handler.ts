import { asciiAt, type ByteReader, textOf } from '@/lib/video/shared/byte-reader';
import { type Box, findBox } from '@/lib/video/shared/mp4-boxes';

/** What a track says of the device that recorded it. */
export interface Mp4Handler {
  /** What made the track, as its handler is called: `GoPro AVC`, `Core Media Video`; '' if it has no name. */
  handlerName: string;
  /** Whether the track has the moment of a Live Photo's picture. */
  hasStillTime: boolean;
}

/** Longer names are cut off. */
const MAX_NAME_BYTES = 64;
/** The key that the track of a Live Photo's moment declares, and what's read of a track's declarations. */
const STILL_TIME = 'com.apple.quicktime.still-image-time';
const MAX_KEYS_BYTES = 8192;

/**
 * Reads a `trak`: the name in its `hdlr`, and for timed metadata, the keys in its `stsd` (QuickTime File Format, Timed
 * metadata media).
 * @throws RangeError if it's damaged
 */
export async function readHandler(file: ByteReader, trak: Box): Promise<Mp4Handler> {
  const track: Mp4Handler = { handlerName: '', hasStillTime: false };
  const mdia = await findBox(file, trak, 'mdia');
  const handler = mdia && (await findBox(file, mdia, 'hdlr'));
  if (!mdia || !handler || handler.end - handler.start < 24) return track;
  const type = asciiAt(await file.read(handler.start, 12), 8, 4);
  const name = await file.read(
    handler.start + 24,
    Math.min(handler.end - handler.start - 24, MAX_NAME_BYTES),
  );
  // QuickTime's names start with their length, and ISO's end with a zero.
  track.handlerName = textOf(name)
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
  if (type !== 'meta') return track;
  const samples = await findBox(file, mdia, 'minf', 'stbl', 'stsd');
  if (!samples) return track;
  const bytes = Math.min(samples.end - samples.start, MAX_KEYS_BYTES);
  track.hasStillTime = textOf(await file.read(samples.start, bytes)).includes(STILL_TIME);
  return track;
}
