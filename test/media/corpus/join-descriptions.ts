import { readFile, writeFile } from 'node:fs/promises';
import { box, joined, uint32 } from '../small-clips';

/** A box's content, and where it is. */
interface Place {
  type: string;
  start: number;
  end: number;
}

function* boxesIn(bytes: Buffer, from: number, end: number): Generator<Place> {
  for (let at = from; at + 8 <= end; at += bytes.readUInt32BE(at)) {
    yield { type: bytes.toString('latin1', at + 4, at + 8), start: at + 8, end: at + bytes.readUInt32BE(at) };
  }
}

/** Returns the content of a box at the end of a path of types. */
function contentAt(bytes: Buffer, ...[type = '', ...inner]: string[]): Buffer {
  for (const found of boxesIn(bytes, 0, bytes.length)) {
    const content = bytes.subarray(found.start, found.end);
    if (found.type === type) return inner.length > 0 ? contentAt(content, ...inner) : content;
  }
  throw new Error(`The clip has no ${type}.`);
}

const TABLE = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
/** Where the length is in the boxes that have one, in bytes of their content. */
const LENGTHS: Record<string, number> = { mvhd: 16, tkhd: 20, mdhd: 16 };
const full = (type: string, ...values: (number | Buffer)[]) =>
  box(type, uint32(0), ...values.map((value) => (typeof value === 'number' ? uint32(value) : value)));

/** Returns a header with another sample table, twice the length, and no edit list. */
function rebuilt(header: Buffer, table: Buffer): Buffer {
  const boxes = [...boxesIn(header, 0, header.length)].map(({ type, start, end }) => {
    const content = Buffer.from(header.subarray(start, end));
    if (type === 'stbl') return table;
    if (type === 'edts' || type === 'udta') return Buffer.alloc(0);
    if (TABLE.includes(type)) return box(type, rebuilt(content, table));
    const at = LENGTHS[type];
    if (at !== undefined) content.writeUInt32BE(content.readUInt32BE(at) * 2, at);
    return box(type, content);
  });
  return joined(boxes);
}

/**
 * Joins the pictures of two MP4s of the same length and rate as QuickTime Player does: each keeps the sample description that
 * its decoder needs (ISO/IEC 14496-12, 8.5.2). ffmpeg writes only one.
 */
export async function joinDescriptions(paths: readonly [string, string], to: string): Promise<void> {
  const [first, second] = await Promise.all(paths.map((path) => readFile(path)));
  if (!first || !second) throw new Error('Two clips are joined.');
  const parts = [first, second].map((bytes) => ({
    data: contentAt(bytes, 'mdat'),
    description: contentAt(bytes, ...TABLE, 'stsd').subarray(8),
    sizes: contentAt(bytes, ...TABLE, 'stsz').subarray(12),
  }));
  const counts = parts.map(({ sizes }) => sizes.length / 4);
  const [one = 0, other = 0] = counts;
  const type = box('ftyp', contentAt(first, 'ftyp'));
  const data = type.length + 8;
  const perSample = contentAt(first, ...TABLE, 'stts').readUInt32BE(12);
  const table = box(
    'stbl',
    full('stsd', 2, ...parts.map(({ description }) => description)),
    full('stts', 1, one + other, perSample),
    full('stss', 2, 1, one + 1),
    full('stsc', 2, 1, one, 1, 2, other, 2),
    full('stsz', 0, one + other, ...parts.map(({ sizes }) => sizes)),
    full('stco', 2, data, data + (parts[0]?.data.length ?? 0)),
  );
  const media = box('mdat', ...parts.map((part) => part.data));
  await writeFile(to, joined([type, media, box('moov', rebuilt(contentAt(first, 'moov'), table))]));
}
