import { type ByteReader, textOf } from '@/lib/video/shared/byte-reader';
import { parseTime } from './local-time';
import type { RawHeader } from './raw-header';

// Numbers are from RFC 9559 (Matroska) and RFC 8794 (EBML).
export const SEGMENT = 0x18538067;
const SEEK_HEAD = 0x114d9b74;
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const DATE_UTC = 0x4461;
const TAGS = 0x1254c367;
const TAG = 0x7373;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
const TAG_STRING = 0x4487;
export const CLUSTER = 0x1f43b675;

const MATROSKA_EPOCH = Date.UTC(2001, 0, 1);
/** What comes before the first cluster is short, and so are tags. */
const MAX_ELEMENTS = 256;
const MAX_VALUE_BYTES = 256;

/** An element of EBML (RFC 8794, 6), and where its content is, in bytes. */
export interface Element {
  id: number;
  start: number;
  end: number;
}

/** Lists the elements between two places. An element of unknown length ends where its parent does. */
export async function* elementsIn(file: ByteReader, from: number, end: number): AsyncGenerator<Element> {
  for (let at = from, count = 0; at + 2 <= end && count < MAX_ELEMENTS; count += 1) {
    const head = await file.read(at, 12);
    const idBytes = Math.clz32(head.getUint8(0)) - 23;
    const sizeBytes = Math.clz32(head.getUint8(idBytes)) - 23;
    if (idBytes > 4 || sizeBytes > 8) return;
    let id = 0;
    for (let index = 0; index < idBytes; index += 1) id = id * 256 + head.getUint8(index);
    let size = head.getUint8(idBytes) & (0xff >> sizeBytes);
    let isUnknown = size === 0xff >> sizeBytes;
    for (let index = 1; index < sizeBytes; index += 1) {
      const byte = head.getUint8(idBytes + index);
      size = size * 256 + byte;
      isUnknown &&= byte === 0xff;
    }
    const start = at + idBytes + sizeBytes;
    at = isUnknown ? end : start + size;
    yield { id, start, end: Math.min(at, end) };
  }
}

/** Reads the values of the elements in another one, by their ids. Of several with the same id, the last one counts. */
export async function readValues(file: ByteReader, { start, end }: Element): Promise<Map<number, DataView>> {
  const values = new Map<number, DataView>();
  for await (const element of elementsIn(file, start, end))
    values.set(
      element.id,
      await file.read(element.start, Math.min(element.end - element.start, MAX_VALUE_BYTES)),
    );
  return values;
}

/** Returns an unsigned integer of up to eight bytes (RFC 8794, 7.2). */
export function uintOf(data: DataView): number {
  let value = 0;
  for (let at = 0; at < Math.min(data.byteLength, 8); at += 1) value = value * 256 + data.getUint8(at);
  return value;
}

/** Reads Info (RFC 9559, 5.1.2): DateUTC is in nanoseconds since 2001, and Duration in units of TimestampScale. */
async function readInfo(file: ByteReader, info: Element): Promise<RawHeader> {
  const values = await readValues(file, info);
  const [scale, duration, date] = [TIMESTAMP_SCALE, DURATION, DATE_UTC].map((id) => values.get(id));
  const units = duration?.byteLength === 4 ? duration.getFloat32(0) : (duration?.getFloat64(0) ?? 0);
  return {
    createdAt: date ? MATROSKA_EPOCH + Number(date.getBigInt64(0) / 1_000_000n) : null,
    seconds: (units * (scale ? uintOf(scale) : 1_000_000)) / 1e9,
  };
}

async function readTags(file: ByteReader, tags: Element, texts: Map<string, string>): Promise<void> {
  for await (const tag of elementsIn(file, tags.start, tags.end)) {
    if (tag.id !== TAG) continue;
    for await (const simple of elementsIn(file, tag.start, tag.end)) {
      if (simple.id !== SIMPLE_TAG) continue;
      const values = await readValues(file, simple);
      const [name = '', text = ''] = [TAG_NAME, TAG_STRING].map((id) => {
        const value = values.get(id);
        return value && textOf(value);
      });
      if (!texts.has(name.toUpperCase())) texts.set(name.toUpperCase(), text);
    }
  }
}

/** Returns where SeekHead says that tags are, in bytes from the segment's start; null if it doesn't. */
async function findTags(file: ByteReader, seekHead: Element): Promise<number | null> {
  for await (const seek of elementsIn(file, seekHead.start, seekHead.end)) {
    const values = await readValues(file, seek);
    const [id, position] = [values.get(SEEK_ID), values.get(SEEK_POSITION)];
    if (seek.id === SEEK && id && uintOf(id) === TAGS) return position ? uintOf(position) : 0;
  }
  return null;
}

/** Reads the header of a Matroska or WebM file. @throws RangeError if it's damaged */
export async function readMatroska(file: ByteReader): Promise<RawHeader> {
  let header: RawHeader = {};
  const values = new Map<string, string>();
  for await (const segment of elementsIn(file, 0, file.size)) {
    if (segment.id !== SEGMENT) continue;
    let tagsAt: number | null = null;
    for await (const element of elementsIn(file, segment.start, segment.end)) {
      if (element.id === CLUSTER) break;
      if (element.id === SEEK_HEAD) tagsAt = await findTags(file, element);
      if (element.id === INFO) header = await readInfo(file, element);
      if (element.id === TAGS) await readTags(file, element, values);
    }
    if (tagsAt !== null && values.size === 0) {
      for await (const element of elementsIn(file, segment.start + tagsAt, segment.end)) {
        if (element.id === TAGS) await readTags(file, element, values);
        break;
      }
    }
    break;
  }
  return {
    ...header,
    times: ['COM.APPLE.QUICKTIME.CREATIONDATE', 'DATE_RECORDED'].map((name) =>
      parseTime(values.get(name) ?? ''),
    ),
    location: values.get('COM.APPLE.QUICKTIME.LOCATION.ISO6709'),
  };
}
