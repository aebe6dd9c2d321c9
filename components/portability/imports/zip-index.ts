import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { decodeCp437 } from './cp437';

// Daylight's archives are stored uncompressed, so a member is a slice of the file, which needs no memory. Other programs
// compress members, which `zip-member.ts` inflates. Paths are only compared. Numbers are from APPNOTE.TXT 6.3.10.

/** A file in a ZIP. */
export interface ZipMember {
  /** Where its local header starts, in bytes. */
  offset: number;
  bytes: number;
  /** How many bytes it takes up in the ZIP. */
  packedBytes: number;
  /** `plain` members are stored as they are: neither compressed nor encrypted. */
  packing: 'plain' | 'deflated' | 'encrypted' | 'other';
  /** Milliseconds since 1970. */
  modifiedAt: number | null;
}

export interface ZipIndex {
  members: ReadonlyMap<string, ZipMember>;
  /** Where the members end and the directory starts, in bytes. */
  end: number;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END_64_BYTES = 56;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_FIELD = 0x0001;
const IN_ZIP64 = 0xffffffff;
const ENCRYPTED = 1;
const UTF_8 = 1 << 11;
const STORED = 0;
const DEFLATED = 8;

/** More members than any plan holds need less. */
const MAX_DIRECTORY_BYTES = 100_000_000;

async function viewOf(file: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await file.slice(start, end).arrayBuffer());
}

/** Returns a 64-bit number. Those that JavaScript can't count to are past the end of any file. */
const getUint64 = (view: DataView, at: number) => Number(view.getBigUint64(at, true));

/** Finds the record that ends a ZIP. @returns where it is; null if there is none */
async function findEnd(file: Blob): Promise<{ tail: DataView; at: number; start: number } | null> {
  const start = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES - LOCATOR_BYTES);
  const tail = await viewOf(file, start, file.size);
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    const isEnd = tail.getUint32(at, true) === END;
    if (isEnd && at + END_BYTES + tail.getUint16(at + 20, true) === tail.byteLength)
      return { tail, at, start };
  }
  return null;
}

/** Returns where the central directory is. */
async function findDirectory(file: Blob): Promise<{ offset: number; bytes: number; members: number }> {
  const found = await findEnd(file);
  if (!found) throw new ArchiveProblem(PROBLEMS.noZip);
  const { tail, at, start } = found;
  const locator = at - LOCATOR_BYTES;
  if (locator >= 0 && tail.getUint32(locator, true) === END_64_LOCATOR) {
    const end = getUint64(tail, locator + 8);
    if (end + END_64_BYTES > start + locator) throw new ArchiveProblem(PROBLEMS.noZip);
    const view = await viewOf(file, end, end + END_64_BYTES);
    if (view.getUint32(0, true) !== END_64) throw new ArchiveProblem(PROBLEMS.noZip);
    return { members: getUint64(view, 32), bytes: getUint64(view, 40), offset: getUint64(view, 48) };
  }
  return {
    members: tail.getUint16(at + 10, true),
    bytes: tail.getUint32(at + 12, true),
    offset: tail.getUint32(at + 16, true),
  };
}

/** Replaces values that don't fit into 32 bits with those of the ZIP64 field, which has them in the same order. */
function readZip64(view: DataView, at: number, end: number, values: readonly number[]): number[] {
  let field = at;
  while (field + 4 <= end && view.getUint16(field, true) !== ZIP64_FIELD) {
    field += 4 + view.getUint16(field + 2, true);
  }
  let next = field + 4;
  return values.map((value) => {
    if (value !== IN_ZIP64) return value;
    if (next + 8 > end) throw new ArchiveProblem(PROBLEMS.damaged);
    next += 8;
    return getUint64(view, next - 8);
  });
}

/**
 * Decodes a path. Programs that don't say that it's UTF-8 write that, too, or the code page 437 of MS-DOS (appendix D).
 */
function decodePath(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeCp437(bytes);
  }
}

function packingOf(flags: number, method: number, isSameSize: boolean): ZipMember['packing'] {
  if ((flags & ENCRYPTED) !== 0) return 'encrypted';
  if (method === DEFLATED) return 'deflated';
  return method === STORED && isSameSize ? 'plain' : 'other';
}

/** Reads MS-DOS time (4.4.6), which is local and has no time zone. */
function readDosTime(time: number, date: number): number | null {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  if (month === 0 || day === 0) return null;
  return new Date(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime();
}

function readDirectory(view: DataView, count: number): Map<string, ZipMember> {
  const members = new Map<string, ZipMember>();
  let at = 0;
  for (let number = 0; number < count; number += 1) {
    if (at + CENTRAL_BYTES > view.byteLength || view.getUint32(at, true) !== CENTRAL_HEADER) {
      throw new ArchiveProblem(PROBLEMS.damaged);
    }
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw new ArchiveProblem(PROBLEMS.damaged);
    const flags = view.getUint16(at + 8, true);
    const name = new Uint8Array(view.buffer, at + CENTRAL_BYTES, nameEnd - at - CENTRAL_BYTES);
    const path = decodePath(name, (flags & UTF_8) !== 0);
    const [bytes = 0, packedBytes = 0, offset = 0] = readZip64(view, nameEnd, extraEnd, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    const packing = packingOf(flags, view.getUint16(at + 10, true), packedBytes === bytes);
    const modifiedAt = readDosTime(view.getUint16(at + 12, true), view.getUint16(at + 14, true));
    // Readers disagree about which of two counts.
    if (members.has(path)) throw new ArchiveProblem(PROBLEMS.damaged);
    members.set(path, { offset, bytes, packedBytes, packing, modifiedAt });
    at = next;
  }
  return members;
}

/**
 * Reads where a ZIP's members are.
 * @throws ArchiveProblem; DOMException if the file can't be read
 */
export async function readZipIndex(file: Blob): Promise<ZipIndex> {
  const { members, bytes, offset } = await findDirectory(file);
  const isWithin = offset + bytes <= file.size && bytes <= MAX_DIRECTORY_BYTES;
  if (!isWithin || members * CENTRAL_BYTES > bytes) throw new ArchiveProblem(PROBLEMS.damaged);
  const view = await viewOf(file, offset, offset + bytes);
  return { members: readDirectory(view, members), end: offset };
}

/**
 * Returns what a member takes up in the file as a slice, none of which is read yet.
 * @throws ArchiveProblem if it's damaged; DOMException if the file can't be read
 */
export async function slicePacked(file: Blob, { end }: ZipIndex, member: ZipMember): Promise<Blob> {
  const { offset, packedBytes: bytes } = member;
  if (offset + LOCAL_BYTES + bytes > end) throw new ArchiveProblem(PROBLEMS.damaged);
  const header = await viewOf(file, offset, offset + LOCAL_BYTES);
  if (header.getUint32(0, true) !== LOCAL_HEADER) throw new ArchiveProblem(PROBLEMS.damaged);
  const start = offset + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + bytes > end) throw new ArchiveProblem(PROBLEMS.damaged);
  return file.slice(start, start + bytes);
}

/**
 * Returns a member of Daylight's own archive as a slice of the file, none of which is read yet.
 * @param bytes how many it must have
 * @throws ArchiveProblem if it's damaged or compressed; DOMException if the file can't be read
 */
export async function sliceMember(
  file: Blob,
  index: ZipIndex,
  { path, bytes }: { path: string; bytes: number },
): Promise<Blob> {
  const member = index.members.get(path);
  if (!member || member.bytes !== bytes) throw new ArchiveProblem(PROBLEMS.damaged);
  if (member.packing !== 'plain') throw new ArchiveProblem(PROBLEMS.repacked);
  return slicePacked(file, index, member);
}
