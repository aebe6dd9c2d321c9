import { openMember, readMemberStart, readZipIndex } from '@/components/portability/imports/read-zip';

/** What systems leave in folders and ZIPs, which people don't see. */
const JUNK =
  /(?:^|\/)(?:__MACOSX\/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini|\.thumbnails\/.*|@eaDir\/.*)$/i;
/** Files that are surely no videos, which need no look inside. */
const OTHER_FILE =
  /\.(?:json|html?|css|csv|txt|md|xml|xmp|aae|thm|lrv|srt|vtt|pdf|docx?|jpe?g|png|gif|heic|heif|webp|bmp|tiff?|dng|raw|cr[23]|nef|arw|mp3|m4a|wav|wma|mka|aac|flac|zip|tgz|db|ini|exe)$/i;

/** Returns whether a path is one of the system's own files. */
export const isJunk = (path: string) => JUNK.test(path);

/** Returns whether a file is no video, by its name. */
export const isOtherFile = (name: string) => OTHER_FILE.test(name);

/**
 * A file that a person chose, or a member of a ZIP that they chose. Paths and names are in Unicode's composed form (NFC), so
 * that they can be compared: macOS and what's made on it may have letters apart from their accents.
 */
export interface SourceFile {
  /** With slashes, from the folder that was chosen; of a member, its path inside the ZIP. */
  path: string;
  name: string;
  /** The path in the form that it has there. Ids are made of it, so that those of earlier versions stay the same. */
  originalPath: string;
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
    ...{ path: path.normalize('NFC'), name: file.name.normalize('NFC'), originalPath: path },
    ...{ size: file.size, lastModified: file.lastModified, archive: null, isPlain: true },
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
  return [...index.members].flatMap(([written, member]) => {
    // Old programs on Windows write backslashes.
    const originalPath = written.replaceAll('\\', '/');
    const path = originalPath.normalize('NFC');
    if (path.endsWith('/')) return [];
    return {
      ...{ path, name: path.slice(path.lastIndexOf('/') + 1), originalPath, size: member.bytes },
      ...{ lastModified: member.modifiedAt, archive: zip.name, isPlain: member.packing === 'plain' },
      open: () => openMember(zip, index, member),
      readStart: (bytes: number) => readMemberStart(zip, index, member, bytes),
    };
  });
}

/** More than any journal's text has. */
const MAX_JSON_BYTES = 100_000_000;

/** Returns the object in a JSON file; null if it's none, damaged, or can't be read. */
export async function readJson(file: SourceFile): Promise<object | null> {
  if (file.size > MAX_JSON_BYTES) return null;
  try {
    const value: unknown = JSON.parse(await (await file.open()).text());
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Where a compressed video's header is, unless its recorder put it at the end. */
const START_BYTES = 1_000_000;
/** The largest compressed video that's inflated whole for its header. */
const MAX_INFLATED_BYTES = 1_000_000_000;

/** Whether an MP4 file has its header at the start: a box `moov` before the pictures, `mdat`. */
function hasHeader(start: Uint8Array): boolean {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  for (let at = 0; at + 8 <= start.length; ) {
    const type = String.fromCharCode(...start.subarray(at + 4, at + 8));
    if (type === 'moov') return true;
    if (type === 'mdat' || !/^[a-z]{4}$/.test(type)) return type !== 'mdat';
    at += Math.max(8, view.getUint32(at));
  }
  return true;
}

/**
 * Returns what has a video's header: the file, or a compressed one's start. One with its header at the end has to be
 * inflated whole, unless its start is enough.
 * @param isStartEnough whether nothing depends on the header, such as the date
 * @throws ArchiveProblem if it's damaged; DOMException if it can't be read
 */
export async function readHeaderSource(file: SourceFile, isStartEnough: boolean): Promise<Blob> {
  if (file.isPlain) return file.open();
  const start = await file.readStart(START_BYTES);
  const isEnough = start.length === file.size || isStartEnough || hasHeader(start);
  return isEnough || file.size > MAX_INFLATED_BYTES ? new Blob([new Uint8Array(start)]) : file.open();
}
