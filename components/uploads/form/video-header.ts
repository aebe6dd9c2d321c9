/** What a video's header says of it; null for what it doesn't say. */
export interface VideoHeader {
  /** Milliseconds since 1970. */
  createdAt: number | null;
  /** Its length. Recorders don't know it when they write the header. */
  seconds: number | null;
}

const NOTHING: VideoHeader = { createdAt: null, seconds: null };

const readView = async (file: Blob, start: number, length: number) =>
  new DataView(await file.slice(start, start + length).arrayBuffer());

const boxTypeAt = (data: DataView, at: number) =>
  String.fromCharCode(...new Uint8Array(data.buffer, data.byteOffset + at, 4));

/** Seconds from 1904, the QuickTime epoch, to 1970. */
const SECONDS_1904_TO_1970 = 2_082_844_800;
/** Files have few top-level boxes; fragments don't matter here. */
const MAX_BOXES = 64;

/** Reads `mvhd` (ISO/IEC 14496-12, 8.2.2), whose times are UTC and whose length is all ones if it's unknown. */
function readMovieHeader(mvhd: DataView): VideoHeader {
  const isLong = mvhd.getUint8(8) === 1;
  const created = isLong ? Number(mvhd.getBigUint64(12)) : mvhd.getUint32(12);
  const timescale = mvhd.getUint32(isLong ? 28 : 20);
  const duration = isLong ? Number(mvhd.getBigUint64(32)) : mvhd.getUint32(24);
  const isKnown = timescale > 0 && duration > 0 && duration < (isLong ? 2 ** 64 : 2 ** 32 - 1);
  return {
    createdAt: created > SECONDS_1904_TO_1970 ? (created - SECONDS_1904_TO_1970) * 1000 : null,
    seconds: isKnown ? duration / timescale : null,
  };
}

/** Reads the header of an MP4 or QuickTime file. */
async function readMp4(file: Blob): Promise<VideoHeader> {
  for (let at = 0, count = 0; at + 16 <= file.size && count < MAX_BOXES; count += 1) {
    const head = await readView(file, at, 16);
    const short = head.getUint32(0);
    const size = short === 1 ? Number(head.getBigUint64(8)) : short || file.size - at;
    if (size < 8) return NOTHING;
    if (boxTypeAt(head, 4) === 'moov') {
      const inside = await readView(file, at + (short === 1 ? 16 : 8), 40);
      return inside.byteLength < 40 || boxTypeAt(inside, 4) !== 'mvhd' ? NOTHING : readMovieHeader(inside);
    }
    at += size;
  }
  return NOTHING;
}

const MATROSKA_EPOCH = Date.UTC(2001, 0, 1);

/**
 * Reads the header of a Matroska file: DateUTC (RFC 9559, 5.1.2.11), nanoseconds since 2001. Its length is left to the
 * server, since recorders leave it out.
 */
async function readMatroska(file: Blob): Promise<VideoHeader> {
  const data = await readView(file, 0, 65_536);
  for (let at = 0; at + 11 <= data.byteLength; at += 1) {
    // The element's ID and its length, 8 bytes.
    if (data.getUint16(at) === 0x4461 && data.getUint8(at + 2) === 0x88) {
      return { ...NOTHING, createdAt: MATROSKA_EPOCH + Number(data.getBigInt64(at + 3) / 1_000_000n) };
    }
  }
  return NOTHING;
}

/** Returns what a file's header says, without reading the rest of it. Never rejects. */
export async function readVideoHeader(file: Blob): Promise<VideoHeader> {
  try {
    if (file.size < 16) return NOTHING;
    const head = await readView(file, 0, 4);
    return await (head.getUint32(0) === 0x1a45dfa3 ? readMatroska(file) : readMp4(file));
  } catch {
    return NOTHING;
  }
}
