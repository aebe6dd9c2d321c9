import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { type Track, type TrackList, toTrack } from './track';

/** What the first packet of a stream starts with, and ffmpeg's name for its codec. */
const STREAMS: readonly (readonly [start: string, kind: Track['kind'], codec: string])[] = [
  ['\x80theora', 'video', 'theora'],
  ['OVP80', 'video', 'vp8'],
  ['BBCD\0', 'video', 'dirac'],
  ['\x01video', 'video', ''],
  ['\x01vorbis', 'audio', 'vorbis'],
  ['OpusHead', 'audio', 'opus'],
  ['\x7fFLAC', 'audio', 'flac'],
  ['Speex   ', 'audio', 'speex'],
  ['\x01audio', 'audio', ''],
  ['fishead\0', 'other', 'skeleton'],
  ['\x80kate', 'other', 'kate'],
  ['\x01text', 'other', ''],
];
/** Returns whether an Ogg file has sound and no pictures, by its first bytes with a character for each. */
export function isOggSound(head: string): boolean {
  const has = (kind: Track['kind']) => STREAMS.some(([start, of]) => of === kind && head.includes(start));
  return has('audio') && !has('video');
}

const IS_FIRST_PAGE = 2;
/** Far more than any file has. */
const MAX_STREAMS = 32;

/**
 * Reads the streams of an Ogg file. All of them start before any continues (RFC 3533, 4), on a page of its own each, which
 * has a header of 27 bytes and a table of lengths (6).
 * @throws RangeError if it's damaged
 */
export async function readOggTracks(file: ByteReader): Promise<TrackList> {
  const list: TrackList = { tracks: [], isComplete: true };
  for (let at = 0, count = 0; count < MAX_STREAMS; count += 1) {
    const page = await file.read(at, 27 + 255);
    if (asciiAt(page, 0, 4) !== 'OggS') throw new RangeError('no page');
    if ((page.getUint8(5) & IS_FIRST_PAGE) === 0) return list;
    const lengths = page.getUint8(26);
    let size = 0;
    for (let index = 0; index < lengths; index += 1) size += page.getUint8(27 + index);
    const start = asciiAt(await file.read(at + 27 + lengths, 8), 0, 8);
    const known = STREAMS.find(([signature]) => start.startsWith(signature));
    if (known) list.tracks.push(toTrack(known[1], known[2]));
    else list.isComplete = false;
    at += 27 + lengths + size;
  }
  return { ...list, isComplete: false };
}
