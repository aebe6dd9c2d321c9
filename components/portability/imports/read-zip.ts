import type { Entry, Reader } from '@zip.js/zip.js';
import { loadCode } from '@/components/ui/load-code';
import { ArchiveProblem, PROBLEMS } from './archive-problem';

// zip.js reads the directory. Daylight's archives are stored uncompressed, so a member is a slice of the file, which needs no
// memory. Other programs compress members, which are inflated through a stream. Paths are only compared.

/** A file in a ZIP. */
export interface ZipMember {
  /** Where its local header starts, in bytes. */
  offset: number;
  bytes: number;
  /** How many bytes it takes up in the ZIP. */
  packedBytes: number;
  /** `plain` members are stored as they are: neither compressed nor encrypted. */
  packing: 'plain' | 'deflated' | 'encrypted' | 'other';
  /** Milliseconds since 1970; null if it doesn't say. */
  modifiedAt: number | null;
}

const LOCAL_HEADER = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** MS-DOS has no earlier one. A date without a month or a day gives one. */
const FIRST_YEAR = 1980;

function packingOf(entry: Entry): ZipMember['packing'] {
  if (entry.encrypted) return 'encrypted';
  if (entry.compressionMethod === DEFLATED) return 'deflated';
  const isStored = entry.compressionMethod === STORED && entry.compressedSize === entry.uncompressedSize;
  return isStored ? 'plain' : 'other';
}

const toMember = (entry: Entry): ZipMember => ({
  offset: entry.offset,
  bytes: entry.uncompressedSize,
  packedBytes: entry.compressedSize,
  packing: packingOf(entry),
  modifiedAt: entry.lastModDate.getFullYear() < FIRST_YEAR ? null : entry.lastModDate.getTime(),
});

/**
 * Reads where a ZIP's members are.
 * @returns the members by path as it's written, and by path in Unicode's composed form (NFC), as paths are compared; and
 * where they end and the directory starts, in bytes
 * @throws ArchiveProblem; DOMException if the file can't be read
 */
export async function readZipIndex(file: Blob) {
  const zipJs = await loadCode(() => import('@zip.js/zip.js/lib/zip-core-reader.js'));
  const reader = {
    size: file.size,
    readUint8Array: async (start: number, length: number) =>
      new Uint8Array(await file.slice(start, start + length).arrayBuffer()),
  } as Reader<Blob>;
  // Readers disagree about which of two members with the same name counts, which it refuses.
  const zip = new zipJs.ZipReader(reader, { strictness: 'strict', filenameValidation: 'tolerant' });
  const members = new Map<string, ZipMember>();
  try {
    for await (const entry of zip.getEntriesGenerator()) members.set(entry.filename, toMember(entry));
  } catch (error) {
    if (error instanceof DOMException || !(error instanceof Error)) throw error;
    const { ERR_BAD_FORMAT, ERR_EOCDR_NOT_FOUND, ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND } = zipJs;
    const incomplete = [ERR_BAD_FORMAT, ERR_EOCDR_NOT_FOUND, ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND];
    throw new ArchiveProblem(incomplete.includes(error.message) ? PROBLEMS.noZip : PROBLEMS.damaged);
  }
  const byPath = new Map([...members].map(([path, member]) => [path.normalize('NFC'), member]));
  return { members, byPath, end: zip.directoryOffset ?? 0 };
}

type ZipIndex = Awaited<ReturnType<typeof readZipIndex>>;

/**
 * Returns what a member takes up in the file as a slice, none of which is read yet.
 * @throws ArchiveProblem if it's damaged; DOMException if the file can't be read
 */
async function slicePacked(file: Blob, { end }: ZipIndex, member: ZipMember): Promise<Blob> {
  const { offset, packedBytes: bytes } = member;
  if (offset + LOCAL_BYTES + bytes > end) throw new ArchiveProblem(PROBLEMS.damaged);
  const header = new DataView(await file.slice(offset, offset + LOCAL_BYTES).arrayBuffer());
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
  const member = index.byPath.get(path.normalize('NFC'));
  if (!member || member.bytes !== bytes) throw new ArchiveProblem(PROBLEMS.damaged);
  if (member.packing !== 'plain') throw new ArchiveProblem(PROBLEMS.repacked);
  return slicePacked(file, index, member);
}

/** Fails as soon as more bytes arrive than the directory says, so that nothing can fill the memory. */
function checkSize(expected: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > expected) throw new ArchiveProblem(PROBLEMS.memberDamaged);
      controller.enqueue(chunk);
    },
    flush() {
      if (bytes !== expected) throw new ArchiveProblem(PROBLEMS.memberDamaged);
    },
  });
}

/** Reads a compressed member. @throws as `openMember` */
async function inflate<T>(
  file: Blob,
  index: ZipIndex,
  member: ZipMember,
  read: (bytes: ReadableStream<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (member.packing === 'encrypted') throw new ArchiveProblem(PROBLEMS.encrypted);
  if (member.packing === 'other') throw new ArchiveProblem(PROBLEMS.unknownPacking);
  const packed = await slicePacked(file, index, member);
  const inflater: ReadableWritablePair<Uint8Array, BufferSource> = new DecompressionStream('deflate-raw');
  try {
    return await read(packed.stream().pipeThrough(inflater).pipeThrough(checkSize(member.bytes)));
  } catch (error) {
    if (error instanceof ArchiveProblem || error instanceof DOMException) throw error;
    // Inflating has failed, which has no error of its own.
    throw new ArchiveProblem(PROBLEMS.memberDamaged);
  }
}

/**
 * Returns a member's bytes. Only compressed ones are read here, through a stream.
 * @throws ArchiveProblem if it's damaged, encrypted, or compressed by a method that browsers don't know; DOMException if
 * the file can't be read
 */
export const openMember = (file: Blob, index: ZipIndex, member: ZipMember): Promise<Blob> =>
  member.packing === 'plain'
    ? slicePacked(file, index, member)
    : inflate(file, index, member, (bytes) => new Response(bytes).blob());

/**
 * Returns a member's first bytes, and no more of it is read and inflated than is needed.
 * @param bytes how many; fewer are returned if it's shorter
 * @throws as `openMember`
 */
export async function readMemberStart(
  file: Blob,
  index: ZipIndex,
  member: ZipMember,
  bytes: number,
): Promise<Uint8Array> {
  if (member.packing === 'plain') {
    const slice = await slicePacked(file, index, member);
    return new Uint8Array(await slice.slice(0, bytes).arrayBuffer());
  }
  return inflate(file, index, member, async (inflated) => {
    const start = new Uint8Array(Math.min(bytes, member.bytes));
    let filled = 0;
    const reader = inflated.getReader();
    try {
      while (filled < start.length) {
        const { done, value } = await reader.read();
        if (done) break;
        const piece = value.subarray(0, start.length - filled);
        start.set(piece, filled);
        filled += piece.length;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    return start.subarray(0, filled);
  });
}
