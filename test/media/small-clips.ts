/** What a generated clip's header has. */
interface ClipFacts {
  /** Milliseconds since 1970, in UTC. */
  createdAt?: number | undefined;
  /** As Apple writes it: 2019-07-04T21:30:05+0200 */
  creationDate?: string | undefined;
  /** ISO 6709. */
  location?: string | undefined;
  seconds?: number;
  /** Fills the pictures, so that clips differ. */
  content?: Uint8Array;
}

/** Returns a number in four bytes, the highest first. */
export const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const uint64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
/** Joins parts, of which texts have a byte for each character. */
export const joined = (parts: readonly (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

/** Returns a box of ISO/IEC 14496-12. */
export function box(type: string, ...parts: (Uint8Array | string)[]): Buffer {
  const content = joined(parts);
  return joined([uint32(content.length + 8), type, content]);
}

const SECONDS_1904_TO_1970 = 2_082_844_800;
const TIMESCALE = 1000;

/** Returns a `mvhd` box. */
export function movieHeader({ createdAt, seconds = 2 }: ClipFacts): Buffer {
  const created = createdAt === undefined ? 0 : Math.floor(createdAt / 1000) + SECONDS_1904_TO_1970;
  const times = [uint32(created), uint32(created), uint32(TIMESCALE), uint32(seconds * TIMESCALE)];
  return box('mvhd', uint32(0), ...times, Buffer.alloc(80));
}

/** Returns QuickTime's metadata with these keys and values. */
export function quickTimeMeta(values: Record<string, string>): Buffer {
  const names = Object.keys(values).map((name) => box('mdta', name));
  const items = Object.values(values).map((value, index) =>
    joined([
      uint32(value.length + 24),
      uint32(index + 1),
      box('data', uint32(1), uint32(0), Buffer.from(value)),
    ]),
  );
  const handler = box('hdlr', Buffer.alloc(8), 'mdta', Buffer.alloc(14));
  return box('meta', handler, box('keys', uint32(0), uint32(names.length), ...names), box('ilst', ...items));
}

const pictures = (content: Uint8Array = Buffer.alloc(64)) => box('mdat', content);

/** Returns an MP4 or QuickTime file without tracks, with its header at the end. */
export function mp4Clip({ creationDate, location, content, ...facts }: ClipFacts): Buffer {
  const apple = 'com.apple.quicktime.';
  const values = {
    ...(creationDate !== undefined && { [`${apple}creationdate`]: creationDate }),
    ...(location !== undefined && { [`${apple}location.ISO6709`]: location }),
  };
  const meta = Object.keys(values).length > 0 ? [quickTimeMeta(values)] : [];
  const type = box('ftyp', 'qt  ', uint32(0), 'qt  ');
  return joined([type, pictures(content), box('moov', movieHeader(facts), ...meta)]);
}

/** Returns an element of EBML (RFC 8794), with its size in eight bytes. */
export function element(id: number[], ...parts: (Uint8Array | string)[]): Buffer {
  const content = joined(parts);
  const size = uint64(BigInt(content.length) | (1n << 56n));
  return joined([Uint8Array.from(id), size, content]);
}

/** Returns a Matroska file without tracks. */
export function matroskaClip({ createdAt, creationDate, seconds = 2, content }: ClipFacts): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const date = BigInt((createdAt ?? 0) - Date.UTC(2001, 0, 1)) * 1_000_000n;
  const info = element(
    [0x15, 0x49, 0xa9, 0x66],
    element([0x2a, 0xd7, 0xb1], uint32(1_000_000)),
    element([0x44, 0x89], duration),
    ...(createdAt === undefined ? [] : [element([0x44, 0x61], uint64(date))]),
  );
  const tag = (name: string, value: string) =>
    element([0x67, 0xc8], element([0x45, 0xa3], name), element([0x44, 0x87], value));
  const tags = creationDate
    ? [element([0x12, 0x54, 0xc3, 0x67], element([0x73, 0x73], tag('DATE_RECORDED', creationDate)))]
    : [];
  const cluster = element([0x1f, 0x43, 0xb6, 0x75], content ?? Buffer.alloc(64));
  return joined([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], 'matroska')),
    element([0x18, 0x53, 0x80, 0x67], info, ...tags, cluster),
  ]);
}

/** Returns a chunk of a RIFF file, padded to an even length. */
export function chunk(type: string, content: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return joined([type, size, content, Buffer.alloc(content.length % 2)]);
}

/** Returns an AVI file without streams. `creationDate` is as the camera writes it. */
export function aviClip({ creationDate = '', seconds = 2, content }: ClipFacts): Buffer {
  const avih = Buffer.alloc(56);
  avih.writeUInt32LE(40_000);
  avih.writeUInt32LE(seconds * 25, 16);
  const header = joined(['hdrl', chunk('avih', avih), chunk('IDIT', Buffer.from(`${creationDate}\n\0`))]);
  const movie = joined(['movi', content ?? Buffer.alloc(64)]);
  return chunk('RIFF', joined(['AVI ', chunk('LIST', header), chunk('LIST', movie)]));
}
