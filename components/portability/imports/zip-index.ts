import type { Entry, Reader } from '@zip.js/zip.js';
import { loadCode } from '@/components/ui/load-code';
import { ArchiveProblem, PROBLEMS } from './archive-problem';

// zip.js reads the directory. Daylight's archives are stored uncompressed, so a member is a slice of the file, which needs no
// memory. Other programs compress members, which `zip-member.ts` inflates. Paths are only compared.

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

export interface ZipIndex {
  members: ReadonlyMap<string, ZipMember>;
  /** Where the members end and the directory starts, in bytes. */
  end: number;
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
 * @throws ArchiveProblem; DOMException if the file can't be read
 */
export async function readZipIndex(file: Blob): Promise<ZipIndex> {
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
  return { members, end: zip.directoryOffset ?? 0 };
}

/**
 * Returns what a member takes up in the file as a slice, none of which is read yet.
 * @throws ArchiveProblem if it's damaged; DOMException if the file can't be read
 */
export async function slicePacked(file: Blob, { end }: ZipIndex, member: ZipMember): Promise<Blob> {
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
  const member = index.members.get(path);
  if (!member || member.bytes !== bytes) throw new ArchiveProblem(PROBLEMS.damaged);
  if (member.packing !== 'plain') throw new ArchiveProblem(PROBLEMS.repacked);
  return slicePacked(file, index, member);
}
