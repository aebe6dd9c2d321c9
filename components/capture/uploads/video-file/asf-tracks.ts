import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { hexCode, type Track, type TrackList, toTrack } from './track';

/** Returns a GUID as files have it: its first three parts are little-endian. */
function guid(text: string): string {
  const [one = '', two = '', three = '', ...rest] = text.split('-');
  const bytes = (hex: string) => hex.match(/../g) ?? [];
  const ordered = [...[one, two, three].flatMap((part) => bytes(part).toReversed()), ...rest.flatMap(bytes)];
  return String.fromCharCode(...ordered.map((hex) => Number.parseInt(hex, 16)));
}

// From Advanced Systems Format (ASF) Specification, 10.
const STREAM_PROPERTIES = guid('B7DC0791-A9B7-11CF-8EE6-00C00C205365');
const HEADER_EXTENSION = guid('5FBF03B5-A92E-11CF-8EE3-00C00C205365');
const EXTENDED_STREAM_PROPERTIES = guid('14E6A5CB-C672-4332-8399-A96952065B5A');
const ENCRYPTIONS = new Set([
  guid('2211B3FB-BD23-11D2-B4B7-00A0C955FC6E'),
  guid('298AE614-2622-4C17-B935-DAE07EE9289C'),
]);
const VIDEO = guid('BC19EFC0-5B4D-11CF-A8FD-00805F5C442B');
const AUDIO = guid('F8699E40-5B4D-11CF-A8FD-00805F5C442B');
const COMMANDS = guid('59DACFC0-59E6-11D0-A3AC-00A0C90348F6');

/** Bytes before the objects in a header, and in its extension. */
const HEADER_BYTES = 30;
const EXTENSION_BYTES = 46;
/** Bytes before what's specific to a type of stream, in its properties. */
const PROPERTIES_BYTES = 54;
/** A header has a dozen objects. */
const MAX_OBJECTS = 256;

/** An object, and where its content is, in bytes. */
interface AsfObject {
  id: string;
  start: number;
  end: number;
}

async function* objectsIn(file: ByteReader, from: number, end: number): AsyncGenerator<AsfObject> {
  for (let at = from, count = 0; at + 24 <= end && count < MAX_OBJECTS; count += 1) {
    const head = await file.read(at, 24);
    const size = Number(head.getBigUint64(16, true));
    if (size < 24) return;
    yield { id: asciiAt(head, 0, 16), start: at + 24, end: Math.min(at + size, end) };
    at += size;
  }
}

/** Reads a stream (3.3): the codec is in a BITMAPINFOHEADER behind 11 bytes (9.2), or in a WAVEFORMATEX (9.1). */
async function readStream(file: ByteReader, { start }: AsfObject): Promise<{ number: number; track: Track }> {
  const data = await file.read(start, PROPERTIES_BYTES + 31);
  const [type, number] = [asciiAt(data, 0, 16), data.getUint16(48, true) & 0x7f];
  if (type === VIDEO) return { number, track: toTrack('video', asciiAt(data, PROPERTIES_BYTES + 27, 4)) };
  if (type !== AUDIO) return { number, track: toTrack('other', type === COMMANDS ? 'commands' : '') };
  return { number, track: toTrack('audio', hexCode(data.getUint16(PROPERTIES_BYTES, true), 4)) };
}

/** Returns the number of a stream with more properties (4.1). Its other properties may be hidden inside of them. */
const readExtendedNumber = async (file: ByteReader, { start }: AsfObject) =>
  (await file.read(start, 50)).getUint16(48, true);

/** Reads the streams of an ASF file, such as WMV. @throws RangeError if it's damaged */
export async function readAsfTracks(file: ByteReader): Promise<TrackList> {
  const size = Number((await file.read(16, 8)).getBigUint64(0, true));
  const header = { start: HEADER_BYTES, end: Math.min(size, file.size) };
  const streams = new Map<number, Track>();
  const extended: number[] = [];
  let isProtected = false;
  for await (const object of objectsIn(file, header.start, header.end)) {
    isProtected ||= ENCRYPTIONS.has(object.id);
    if (object.id === STREAM_PROPERTIES) {
      const { number, track } = await readStream(file, object);
      streams.set(number, track);
    }
    if (object.id !== HEADER_EXTENSION) continue;
    for await (const inner of objectsIn(file, object.start + EXTENSION_BYTES - 24, object.end)) {
      if (inner.id === EXTENDED_STREAM_PROPERTIES) extended.push(await readExtendedNumber(file, inner));
    }
  }
  const tracks = [...streams.values()].map((track) => ({ ...track, isProtected }));
  const areKnown =
    extended.every((number) => streams.has(number)) && tracks.every(({ codec }) => codec !== '');
  return { tracks, isComplete: areKnown && size <= file.size };
}
