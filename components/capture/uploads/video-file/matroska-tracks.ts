import { asciiAt, type ByteReader, textOf } from '@/lib/video/shared/byte-reader';
import { CLUSTER, type Element, elementsIn, readValues, SEGMENT, uintOf } from './matroska-header';
import { readDolbyVisionProfile, type Track, type TrackList, toTrack } from './track';

// Numbers are from RFC 9559, 5.1.4.
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const CONTENT_ENCODINGS = 0x6d80;
const CONTENT_ENCODING = 0x6240;
const CONTENT_ENCODING_TYPE = 0x5033;
const ENCRYPTION = 1;
const BLOCK_ADDITION_MAPPING = 0x41e4;
const BLOCK_ADD_ID_TYPE = 0x41e7;
const BLOCK_ADD_ID_EXTRA_DATA = 0x41ed;

/** Types of tracks. Any other, but for a complex one, is for subtitles, buttons, or data. */
const KINDS: ReadonlyMap<number, Track['kind']> = new Map([
  [1, 'video'],
  [2, 'audio'],
]);
const COMPLEX = 3;

/** Types of additions with a Dolby Vision configuration record: the names of MP4's boxes, as numbers. */
const DOLBY_VISION_TYPES = new Set([0x64766343, 0x64767643, 0x64767743]);

/** Codecs that are named in CodecPrivate, and where: in a BITMAPINFOHEADER, and in a sample entry. */
const FOURCC_PLACES: ReadonlyMap<string, number> = new Map([
  ['V_MS/VFW/FOURCC', 16],
  ['V_QUICKTIME', 4],
]);

/** Returns whether a track is encrypted, and not only compressed. */
async function isEncrypted(file: ByteReader, encodings: Element): Promise<boolean> {
  for await (const encoding of elementsIn(file, encodings.start, encodings.end)) {
    if (encoding.id !== CONTENT_ENCODING) continue;
    const type = (await readValues(file, encoding)).get(CONTENT_ENCODING_TYPE);
    if (type && uintOf(type) === ENCRYPTION) return true;
  }
  return false;
}

async function readDolbyVision(file: ByteReader, mapping: Element): Promise<number | null> {
  const values = await readValues(file, mapping);
  const [type, record] = [values.get(BLOCK_ADD_ID_TYPE), values.get(BLOCK_ADD_ID_EXTRA_DATA)];
  return type && record && DOLBY_VISION_TYPES.has(uintOf(type)) ? readDolbyVisionProfile(record) : null;
}

/** Reads a TrackEntry. @returns null if it's of a type that may have pictures */
async function readTrack(file: ByteReader, entry: Element): Promise<Track | null> {
  const values = await readValues(file, entry);
  const [typeData, codecData] = [values.get(TRACK_TYPE), values.get(CODEC_ID)];
  const type = typeData ? uintOf(typeData) : COMPLEX;
  if (type === COMPLEX) return null;
  const codec = codecData ? textOf(codecData).replace(/\0+$/, '') : '';
  const [place, details] = [FOURCC_PLACES.get(codec), values.get(CODEC_PRIVATE)];
  const isNamedInside = place !== undefined && details !== undefined && details.byteLength >= place + 4;
  const track = toTrack(KINDS.get(type) ?? 'other', isNamedInside ? asciiAt(details, place, 4) : codec);
  for await (const element of elementsIn(file, entry.start, entry.end)) {
    if (element.id === CONTENT_ENCODINGS) track.isProtected = await isEncrypted(file, element);
    if (element.id === BLOCK_ADDITION_MAPPING) {
      track.dolbyVisionProfile ??= await readDolbyVision(file, element);
    }
  }
  return track;
}

/**
 * Reads the tracks of a Matroska or WebM file, which come before its first cluster.
 * @throws RangeError if it's damaged
 */
export async function readMatroskaTracks(file: ByteReader): Promise<TrackList> {
  const list: TrackList = { tracks: [], isComplete: false };
  for await (const segment of elementsIn(file, 0, file.size)) {
    if (segment.id !== SEGMENT) continue;
    for await (const element of elementsIn(file, segment.start, segment.end)) {
      if (element.id === CLUSTER) break;
      if (element.id !== TRACKS) continue;
      // Pictures and sound follow it in a file that isn't cut off.
      list.isComplete = element.end < file.size;
      for await (const entry of elementsIn(file, element.start, element.end)) {
        if (entry.id !== TRACK_ENTRY) continue;
        const track = await readTrack(file, entry);
        if (track) list.tracks.push(track);
        else list.isComplete = false;
      }
    }
    break;
  }
  return list;
}
