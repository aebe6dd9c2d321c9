import { Reader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import fc from 'fast-check';
import { createCRC32 } from 'hash-wasm';
import { describe, expect, it } from 'vitest';
import { centralHeader, endOfCentralDirectory, localHeader, type ZipMember } from './zip';

/** A run of bytes, of which the ones in the middle may be zeros that nobody stores. */
interface Run {
  at: number;
  bytes: Buffer;
}

/** Reads an archive of which only some runs have content; all other bytes are 0. */
class SparseReader extends Reader<readonly Run[]> {
  constructor(
    private readonly runs: readonly Run[],
    public override size: number,
  ) {
    super(runs);
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const out = Buffer.alloc(Math.min(length, this.size - index));
    for (const { at, bytes } of this.runs) {
      const from = Math.max(at, index);
      const to = Math.min(at + bytes.length, index + out.length);
      if (from < to) bytes.copy(out, from - index, from - at, to - at);
    }
    return out;
  }
}

/** Writes an archive. @returns its entries as an independent reader finds them */
async function readBack(members: readonly (ZipMember & { content?: Buffer })[]) {
  const runs: Run[] = [];
  let at = 0;
  const put = (bytes: Buffer) => {
    runs.push({ at, bytes });
    at += bytes.length;
  };
  const offsets = members.map((member) => {
    const offset = at;
    put(localHeader(member));
    if (member.content) put(member.content);
    else at += member.bytes;
    return offset;
  });
  const start = at;
  put(Buffer.concat(members.map((member, index) => centralHeader(member, offsets[index] ?? 0))));
  put(endOfCentralDirectory({ members: members.length, bytes: at - start, offset: start }));
  const reader = new ZipReader(new SparseReader(runs, at), { checkSignature: true });
  const entries = await reader.getEntries();
  return { entries, size: at };
}

const crc = await createCRC32();
const crcOf = (content: Buffer) => Number.parseInt(crc.init().update(content).digest('hex'), 16);
const modifiedAt = new Date('2026-11-18T07:30:12Z');

describe('the records of a ZIP file', () => {
  it('are read by another implementation, with every name, content, and time', async () => {
    const file = fc.record({
      path: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .filter((path) => !/[\\/]|^\.+$/.test(path) && path.isWellFormed()),
      content: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
      modifiedAt: fc
        .integer({ min: Date.UTC(1980, 0, 2) / 1000, max: Date.UTC(2037, 11, 31) / 1000 })
        .map((seconds) => new Date(seconds * 1000)),
    });
    const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(files, async (list) => {
        const members = list.map((one) => ({ ...one, bytes: one.content.length, crc32: crcOf(one.content) }));
        const { entries } = await readBack(members);
        expect(entries.map(({ filename }) => filename)).toEqual(list.map(({ path }) => path));
        for (const [index, entry] of entries.entries()) {
          if (entry.directory) throw new Error('a file became a folder');
          expect(Buffer.from(await entry.getData(new Uint8ArrayWriter()))).toEqual(list[index]?.content);
          expect(entry.lastModDate).toEqual(list[index]?.modifiedAt);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('describe files and archives of more than 4 GiB', async () => {
    const large = 5 * 2 ** 30;
    const last = Buffer.from('at the end');
    const { entries, size } = await readBack([
      { path: 'large.mp4', bytes: large, crc32: 1, modifiedAt },
      { path: 'last.txt', bytes: last.length, crc32: crcOf(last), modifiedAt, content: last },
    ]);
    expect(size).toBeGreaterThan(5 * 2 ** 30);
    expect(entries.map(({ uncompressedSize }) => uncompressedSize)).toEqual([large, last.length]);
    const entry = entries[1];
    if (!entry || entry.directory) throw new Error('the last file is missing');
    expect(Buffer.from(await entry.getData(new Uint8ArrayWriter()))).toEqual(last);
  });

  it('use ZIP64 from the values on that say that it’s used', () => {
    const lengths = ({ bytes = 0, offset = 0, members = 1 }) => {
      const member = { path: 'a', bytes, crc32: 0, modifiedAt };
      const end = endOfCentralDirectory({ members, bytes, offset });
      return [localHeader(member), centralHeader(member, offset), end].map(({ length }) => length);
    };
    const [local = 0, central = 0, end = 0] = lengths({});
    expect([local, central, end]).toEqual([40, 56, 22]);
    for (const below of [{ bytes: 0xfffffffe }, { offset: 0xfffffffe }, { members: 0xfffe }]) {
      expect(lengths(below)).toEqual([local, central, end]);
    }
    // A field has 4 bytes, and 8 for each value; the two records at the end have 56 and 20.
    expect(lengths({ bytes: 0xffffffff })).toEqual([local + 20, central + 20, end + 76]);
    expect(lengths({ offset: 0xffffffff })).toEqual([local, central + 12, end + 76]);
    expect(lengths({ members: 0xffff })).toEqual([local, central, end + 76]);
  });

  it('describe more than 65,535 files', async () => {
    const members = Array.from({ length: 66_000 }, (_, index) => ({
      path: `viewer/thumbnails/${index}.jpg`,
      bytes: 0,
      crc32: 0,
      modifiedAt,
    }));
    const { entries } = await readBack(members);
    expect(entries).toHaveLength(66_000);
    expect(entries.at(-1)?.filename).toBe('viewer/thumbnails/65999.jpg');
  });
});
