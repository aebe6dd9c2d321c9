import { readZipIndex } from '@/components/portability/imports/zip-index';
import { openMember, readMemberStart } from '@/components/portability/imports/zip-member';

/** A file that a person chose, or a member of a ZIP that they chose. */
export interface SourceFile {
  /** With slashes, from the folder that was chosen; of a member, its path inside the ZIP. */
  path: string;
  name: string;
  /** In bytes. */
  size: number;
  /** Milliseconds since 1970. */
  lastModified: number | null;
  /** The ZIP's name. */
  archive: string | null;
  /** Whether `open` reads nothing: a file on a disk, or an uncompressed member. */
  isPlain: boolean;
  /** Returns all of it. A compressed member is inflated. @throws ArchiveProblem; DOMException if it can't be read */
  open(): Promise<Blob>;
  /** Returns its first bytes, without reading the rest. @throws ArchiveProblem; DOMException if it can't be read */
  readStart(bytes: number): Promise<Uint8Array>;
}

/**
 * Returns a file that a person chose or dropped.
 * @param path from the folder that was chosen, if the browser doesn't tell
 */
export function sourceOfFile(file: File, path = file.webkitRelativePath || file.name): SourceFile {
  return {
    ...{ path, name: file.name, size: file.size, lastModified: file.lastModified, archive: null },
    isPlain: true,
    open: async () => file,
    readStart: async (bytes) => new Uint8Array(await file.slice(0, bytes).arrayBuffer()),
  };
}

/**
 * Returns the files in a ZIP. Only its directory is read.
 * @throws ArchiveProblem if it's no ZIP, or damaged; DOMException if it can't be read
 */
export async function sourcesOfZip(zip: File): Promise<SourceFile[]> {
  const index = await readZipIndex(zip);
  return [...index.members].flatMap(([original, member]) => {
    // Old programs on Windows write backslashes.
    const path = original.replaceAll('\\', '/');
    if (path.endsWith('/')) return [];
    return {
      ...{ path, name: path.slice(path.lastIndexOf('/') + 1), size: member.bytes },
      ...{ lastModified: member.modifiedAt, archive: zip.name, isPlain: member.packing === 'plain' },
      open: () => openMember(zip, index, member),
      readStart: (bytes: number) => readMemberStart(zip, index, member, bytes),
    };
  });
}
