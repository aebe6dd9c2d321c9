import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import { hexCode, readDolbyVisionProfile, type Track, type TrackList, toTrack } from './track';

// Numbers are from ISO/IEC 13818-1, 2.4.
const SYNC_BYTE = 0x47;
const PACKET_BYTES = 188;
/** Cameras and Blu-ray discs write a time of four bytes before each packet. */
const TIMED_PACKET_BYTES = 192;
const PROGRAM_ASSOCIATION_PID = 0;
const PROGRAM_ASSOCIATION = 0;
const PROGRAM_MAP = 2;
const REGISTRATION = 5;
/** Dolby Vision Streams Within the MPEG-2 Transport Stream Format, 3.2. */
const DOLBY_VISION = 0xb0;
/** Tables repeat twice a second, which is at most this far into a video of 16 Mbit/s. */
const MAX_BYTES = 1_048_576;
const BYTES_AT_ONCE = 65_536;

/**
 * Types of streams (table 2-34, and those of ATSC A/53 part 3 and SMPTE RP 227), with ffmpeg's names of their codecs. What
 * others are depends on who wrote them.
 */
const STREAM_TYPES: ReadonlyMap<number, readonly [kind: Track['kind'], codec: string]> = new Map([
  [0x01, ['video', 'mpeg1video']],
  [0x02, ['video', 'mpeg2video']],
  [0x03, ['audio', 'mp2']],
  [0x04, ['audio', 'mp2']],
  [0x05, ['other', 'data']],
  [0x0d, ['other', 'data']],
  [0x0f, ['audio', 'aac']],
  [0x10, ['video', 'mpeg4']],
  [0x11, ['audio', 'aac_latm']],
  [0x15, ['other', 'data']],
  [0x1b, ['video', 'h264']],
  [0x24, ['video', 'hevc']],
  [0x2d, ['audio', 'mpegh_3d_audio']],
  [0x2e, ['audio', 'mpegh_3d_audio']],
  [0x33, ['video', 'vvc']],
  [0x81, ['audio', 'ac3']],
  [0x87, ['audio', 'eac3']],
  [0xea, ['video', 'vc1']],
] as const);
/** Descriptors that only streams with sound have (ETSI EN 300 468, 6.1): AC-3, E-AC-3, DTS, and AAC. */
const AUDIO_DESCRIPTORS: ReadonlyMap<number, string> = new Map([
  [0x6a, 'ac3'],
  [0x7a, 'eac3'],
  [0x7b, 'dts'],
  [0x7c, 'aac'],
]);
/** Teletext, and subtitles (ETSI EN 300 468, 6.1). */
const TEXT_DESCRIPTORS = new Set([0x56, 0x59]);

interface Packet {
  pid: number;
  startsSection: boolean;
  payload: Uint8Array;
}

/** Lists the packets with a payload at the start of a file. */
async function* packetsIn(file: ByteReader): AsyncGenerator<Packet> {
  const head = await file.read(0, 3 * PACKET_BYTES);
  // The first byte of a time may be the same as that of a packet.
  const isTimed = [0, 1, 2].some((packet) => head.getUint8(packet * PACKET_BYTES) !== SYNC_BYTE);
  const [size, skipped] = isTimed ? [TIMED_PACKET_BYTES, 4] : [PACKET_BYTES, 0];
  const end = Math.min(file.size, MAX_BYTES);
  const step = BYTES_AT_ONCE - (BYTES_AT_ONCE % size);
  for (let from = 0; from < end; from += step) {
    const data = await file.read(from, step);
    for (let at = skipped; at + PACKET_BYTES <= data.byteLength; at += size) {
      const control = data.getUint8(at + 3);
      if (data.getUint8(at) !== SYNC_BYTE || (control & 0x10) === 0) continue;
      const adaptation = control & 0x20 ? 1 + data.getUint8(at + 4) : 0;
      if (adaptation > PACKET_BYTES - 5) continue;
      const word = data.getUint16(at + 1);
      const payload = new Uint8Array(data.buffer, data.byteOffset + at + 4 + adaptation, 184 - adaptation);
      yield { pid: word & 0x1fff, startsSection: (word & 0x4000) !== 0, payload };
    }
  }
}

/**
 * Collects the payloads of one kind of packets.
 * @returns a function that takes the next packet, and returns the table once it's complete
 */
function collectTable(): (packet: Packet) => DataView | null {
  let bytes: number[] = [];
  return ({ startsSection, payload }) => {
    if (startsSection) bytes = [...payload.subarray(1 + (payload[0] ?? 0))];
    else if (bytes.length > 0) bytes.push(...payload);
    const [, high = 0, low = 0] = bytes;
    const length = 3 + (((high & 0xf) << 8) | low);
    if (bytes.length < Math.max(length, 4)) return null;
    const table = new DataView(Uint8Array.from(bytes.slice(0, length)).buffer);
    bytes = [];
    return table;
  };
}

/**
 * Reads a program association table: which packets have the tables of the programs.
 * @returns null if some are in another table, or share packets
 */
function readPrograms(table: DataView): Set<number> | null {
  const pids: number[] = [];
  for (let at = 8; at + 8 <= table.byteLength; at += 4) {
    // Program 0 is where the network describes itself.
    if (table.getUint16(at) !== 0) pids.push(table.getUint16(at + 2) & 0x1fff);
  }
  const found = new Set(pids);
  const isOnly = table.getUint8(7) === 0;
  return isOnly && found.size === pids.length ? found : null;
}

/** Reads a stream of a program. @returns null if it may have pictures, or sound, or something else */
function readStream(type: number, table: DataView, start: number, end: number): Track | null {
  const known = STREAM_TYPES.get(type);
  let track = known ? toTrack(...known) : null;
  for (let at = start; at + 2 <= end; at += 2 + table.getUint8(at + 1)) {
    const tag = table.getUint8(at);
    const codec = AUDIO_DESCRIPTORS.get(tag);
    if (codec) track ??= toTrack('audio', codec);
    if (TEXT_DESCRIPTORS.has(tag)) track ??= toTrack('other', hexCode(type, 2));
    if (tag === REGISTRATION && asciiAt(table, at + 2, 4) === 'Opus') track ??= toTrack('audio', 'opus');
    if (tag === DOLBY_VISION && track) {
      track.dolbyVisionProfile = readDolbyVisionProfile(new DataView(table.buffer, at + 2, 4));
    }
  }
  return track;
}

/** Reads a program map table. */
function readProgram(table: DataView): (Track | null)[] {
  const tracks: (Track | null)[] = [];
  const end = table.byteLength - 4;
  for (let at = 12 + (table.getUint16(10) & 0xfff); at + 5 <= end; ) {
    const next = at + 5 + (table.getUint16(at + 3) & 0xfff);
    tracks.push(readStream(table.getUint8(at), table, at + 5, Math.min(next, end)));
    at = next;
  }
  return tracks;
}

/** Reads the streams of an MPEG transport stream, as its tables list them. @throws RangeError if it's damaged */
export async function readTransportStreamTracks(file: ByteReader): Promise<TrackList> {
  const unknown: TrackList = { tracks: [], isComplete: false };
  const tables = new Map([[PROGRAM_ASSOCIATION_PID, collectTable()]]);
  const programs = new Map<number, (Track | null)[] | null>();
  for await (const packet of packetsIn(file)) {
    const table = tables.get(packet.pid)?.(packet);
    if (!table) continue;
    const id = table.getUint8(0);
    if (packet.pid === PROGRAM_ASSOCIATION_PID && id === PROGRAM_ASSOCIATION) {
      const pids = readPrograms(table);
      if (!pids) return unknown;
      for (const pid of pids) {
        if (tables.has(pid)) continue;
        tables.set(pid, collectTable());
        programs.set(pid, null);
      }
    } else if (id === PROGRAM_MAP) programs.set(packet.pid, readProgram(table));
    const found = [...programs.values()];
    if (found.length === 0 || found.includes(null)) continue;
    const tracks = found.flatMap((program) => program ?? []);
    return { tracks: tracks.filter((track) => track !== null), isComplete: !tracks.includes(null) };
  }
  return unknown;
}
