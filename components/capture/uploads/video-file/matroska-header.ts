import { type ByteReader, textAt } from './byte-reader';
import { parseTime } from './local-time';
import type { RawHeader } from './raw-header';

// Numbers are from RFC 9559 (Matroska) and RFC 8794 (EBML).
const SEGMENT = 0x18538067;
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
const CLUSTER = 0x1f43b675;

const MATROSKA_EPOCH = Date.UTC(2001, 0, 1);
/** What comes before the first cluster is short, and so are tags. */
const MAX_ELEMENTS = 256;
const MAX_VALUE_BYTES = 256;

interface Element {
  id: number;
  start: number;
  end: number;
}

/** Lists the elements between two places. An element of unknown length ends where its parent does. */
async function* elementsIn(file: ByteReader, from: number, end: number): AsyncGenerator<Element> {
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

const readValue = (file: ByteReader, { start, end }: Element) =>
  file.read(start, Math.min(end - start, MAX_VALUE_BYTES));

async function readUint(file: ByteReader, element: Element): Promise<number> {
  const data = await readValue(file, element);
  let value = 0;
  for (let at = 0; at < Math.min(data.byteLength, 8); at += 1) value = value * 256 + data.getUint8(at);
  return value;
}

/** Reads Info (RFC 9559, 5.1.2): DateUTC is in nanoseconds since 2001, and Duration in units of TimestampScale. */
async function readInfo(file: ByteReader, info: Element): Promise<RawHeader> {
  let createdAt: number | null = null;
  let duration = 0;
  let scale = 1_000_000;
  for await (const element of elementsIn(file, info.start, info.end)) {
    if (element.id === TIMESTAMP_SCALE) scale = await readUint(file, element);
    if (element.id === DURATION) {
      const data = await readValue(file, element);
      duration = data.byteLength === 4 ? data.getFloat32(0) : data.getFloat64(0);
    }
    if (element.id === DATE_UTC) {
      const data = await readValue(file, element);
      createdAt = MATROSKA_EPOCH + Number(data.getBigInt64(0) / 1_000_000n);
    }
  }
  return { createdAt, seconds: (duration * scale) / 1e9 };
}

async function readTags(file: ByteReader, tags: Element, values: Map<string, string>): Promise<void> {
  for await (const tag of elementsIn(file, tags.start, tags.end)) {
    if (tag.id !== TAG) continue;
    for await (const simple of elementsIn(file, tag.start, tag.end)) {
      if (simple.id !== SIMPLE_TAG) continue;
      let [name, value] = ['', ''];
      for await (const element of elementsIn(file, simple.start, simple.end)) {
        if (element.id === TAG_NAME) name = textAt(await readValue(file, element)).toUpperCase();
        if (element.id === TAG_STRING) value = textAt(await readValue(file, element));
      }
      if (!values.has(name)) values.set(name, value);
    }
  }
}

/** Returns where SeekHead says that tags are, in bytes from the segment's start; null if it doesn't. */
async function findTags(file: ByteReader, seekHead: Element): Promise<number | null> {
  for await (const seek of elementsIn(file, seekHead.start, seekHead.end)) {
    let [id, position] = [0, 0];
    for await (const element of elementsIn(file, seek.start, seek.end)) {
      if (element.id === SEEK_ID) id = await readUint(file, element);
      if (element.id === SEEK_POSITION) position = await readUint(file, element);
    }
    if (seek.id === SEEK && id === TAGS) return position;
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
