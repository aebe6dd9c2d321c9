/** Reads parts of a file of which it remembers the last one, so that reads close to each other are one. */
export interface ByteReader {
  /** In bytes. */
  readonly size: number;
  /**
   * Returns up to `length` bytes; fewer at the end.
   * @throws RangeError after too many reads; DOMException if the file can't be read
   */
  read(at: number, length: number): Promise<DataView>;
}

/** The least that's read at once. Headers are close to each other, and a file on a disk is read in such pages. */
const PAGE_BYTES = 4096;
/** Headers need a few dozen reads. Hostile files could ask for millions. */
const MAX_READS = 5000;
/** What a header needs at most. Lengths come from the file. */
const MAX_READ_BYTES = 65_536;

/** What's read: a Blob, or what can be sliced as one. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Creates a reader of a file. */
export function createByteReader(file: ByteSource): ByteReader {
  let start = 0;
  let reads = 0;
  let page = new ArrayBuffer(0);
  return {
    size: file.size,
    async read(at, length) {
      reads += 1;
      if (reads > MAX_READS) throw new RangeError('too many reads');
      const end = Math.min(at + Math.min(length, MAX_READ_BYTES), file.size);
      if (at < start || end > start + page.byteLength) {
        page = await file.slice(at, Math.max(end, at + PAGE_BYTES)).arrayBuffer();
        start = at;
      }
      return new DataView(page, at - start, Math.max(0, end - at));
    },
  };
}

/** Returns bytes as text with one character each. */
export const asciiAt = (data: DataView, at: number, length: number) =>
  String.fromCharCode(...new Uint8Array(data.buffer, data.byteOffset + at, length));

/** Returns bytes as UTF-8. */
export const textOf = (data: DataView) => new TextDecoder().decode(data);
