import { createHash } from 'node:crypto';
import { createCRC32 } from 'hash-wasm';
import type { ObjectWriter } from '@/lib/clients/multipart';
import type { ObjectVersion } from '@/lib/clients/storage-ranges';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { StoredFile } from '@/lib/journal/entries/checksums';
import type { ArchivedEntry } from './format';
import { centralHeader, endOfCentralDirectory, localHeader, type ZipMember } from './zip';

/**
 * A run of an archive's bytes: those of an object, or the next ones of the text object, which has everything that isn't
 * a video: records of the ZIP file, transcripts, pages.
 */
export interface Segment {
  length: number;
  object: ObjectVersion | null;
}

/** A file of the archive, as `daylight.json` lists it. */
type ListedFile = NonNullable<ArchivedEntry['original']>;

/** Windows and macOS don't tell cases apart. In upper case, as Windows compares names. */
const fold = (path: string) => path.toUpperCase();

/** Decides where each byte of an archive comes from, in order, and writes down those that aren't in storage yet. */
export class ArchiveLayout {
  readonly segments: Segment[] = [];
  readonly #crc = createCRC32();
  readonly #directory: Buffer[] = [];
  readonly #paths = new Set<string>();
  readonly #names = new Set<string>();
  readonly #checksums: string[] = [];
  /** The archive's size so far. */
  bytes = 0;

  /** @param text where to write the bytes that aren't in storage yet */
  constructor(private readonly text: ObjectWriter) {}

  /**
   * Reserves a name for an entry's files: `name (2)` if `name` is taken. It isn't given away again, whichever files are
   * added under it.
   * @param endings what may follow the name in paths, so that files of other names aren't in the way
   */
  reserveName(name: string, endings: readonly string[]): string {
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? name : `${name} (${count})`;
      const isTaken =
        this.#names.has(fold(free)) || endings.some((ending) => this.#paths.has(fold(free + ending)));
      if (isTaken) continue;
      this.#names.add(fold(free));
      return free;
    }
  }

  /** Adds a file with this content, which may be in pieces. */
  async addText(path: string, content: string | readonly Buffer[], modifiedAt: Date): Promise<ListedFile> {
    const pieces = typeof content === 'string' ? [Buffer.from(content)] : content;
    const crc = (await this.#crc).init();
    const hash = createHash('sha256');
    let bytes = 0;
    for (const piece of pieces) {
      crc.update(piece);
      hash.update(piece);
      bytes += piece.length;
    }
    const crc32 = Number.parseInt(crc.digest('hex'), 16);
    await this.#addHeader({ path, bytes, crc32, modifiedAt });
    for (const piece of pieces) await this.#write(piece);
    return this.#list({ path, bytes, sha256: hash.digest('hex') });
  }

  /** Adds a file whose content is an object. */
  async addObject(path: string, file: StoredFile, modifiedAt: Date): Promise<ListedFile> {
    const { object, bytes, crc32, sha256 } = file;
    await this.#addHeader({ path, bytes, crc32, modifiedAt });
    this.segments.push({ length: bytes, object });
    this.bytes += bytes;
    return this.#list({ path, bytes, sha256 });
  }

  /** Returns the checksums of all files so far, as `sha256sum --check` reads them. */
  checksums(): string {
    return this.#checksums.join('');
  }

  /** Adds what ends a ZIP file. */
  async finish(): Promise<void> {
    const offset = this.bytes;
    for (const header of this.#directory) await this.#write(header);
    const { length: members } = this.#directory;
    await this.#write(endOfCentralDirectory({ members, bytes: this.bytes - offset, offset }));
  }

  async #addHeader(member: ZipMember): Promise<void> {
    const path = fold(member.path);
    if (this.#paths.has(path)) throw withSafeMessage(new Error('two files of an archive have the same path'));
    this.#paths.add(path);
    this.#directory.push(centralHeader(member, this.bytes));
    await this.#write(localHeader(member));
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.text.write(bytes);
    this.bytes += bytes.length;
    const last = this.segments.at(-1);
    if (last?.object === null) last.length += bytes.length;
    else this.segments.push({ length: bytes.length, object: null });
  }

  #list(file: ListedFile): ListedFile {
    // Our names have no line breaks and no backslashes, which would have to be escaped.
    this.#checksums.push(`${file.sha256}  ${file.path}\n`);
    return file;
  }
}

/** Returns segments as lines of text. */
export function writeSegments(segments: readonly Segment[]): string {
  return segments
    .map(({ length, object }) => JSON.stringify(object ? [length, object.key, object.etag] : [length]))
    .join('\n');
}

/** Reads what {@link writeSegments} wrote. */
export function parseSegments(lines: string): Segment[] {
  return lines.split('\n').map((line) => {
    const [length, key, etag = null] = JSON.parse(line) as [number, string?, (string | null)?];
    return { length, object: key === undefined ? null : { key, etag } };
  });
}

/** Returns where a range of the archive comes from. @param text the object with what isn't a video */
export function piecesOf(
  segments: readonly Segment[],
  text: ObjectVersion,
  range: { start: number; length: number },
) {
  const pieces: { object: ObjectVersion; start: number; length: number }[] = [];
  const end = range.start + range.length;
  let at = 0;
  let textAt = 0;
  for (const { length, object } of segments) {
    const from = Math.max(range.start, at);
    const to = Math.min(end, at + length);
    if (from < to) {
      const start = from - at + (object ? 0 : textAt);
      pieces.push({ object: object ?? text, start, length: to - from });
    }
    at += length;
    if (!object) textAt += length;
    if (at >= end) break;
  }
  return pieces;
}
