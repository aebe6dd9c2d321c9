import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { centralHeader, endOfCentralDirectory } from '@/lib/portability/exports/zip';
import { zipOf } from '@/test/archive-writer';
import { packedZip } from '@/test/packed-zip';
import { PROBLEMS } from './archive-problem';
import { readZipIndex } from './read-zip';
import { sourcesOfZip } from './sources/source-file';

const fileOf = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'clips.zip');
const words = Buffer.from('The morning I finally called Dad. '.repeat(50_000));

/** Opens the only member of a ZIP. @returns its text, or what a person is told */
async function readOnly(zip: Uint8Array): Promise<string> {
  const [source] = await sourcesOfZip(fileOf(zip));
  if (!source) return 'nothing';
  return source.open().then(
    (blob) => blob.text(),
    (error: Error) => error.message,
  );
}

describe('a member of a ZIP', () => {
  it.each([
    ['stored', { method: 0 }],
    ['compressed', { method: 8 }],
    ['compressed, with its sizes behind it', { method: 8, isStreamed: true }],
    ['compressed, with sizes in ZIP64', { method: 8, isZip64: true }],
  ])('is read whole, and from its start: %s', async (_, options) => {
    const zip = packedZip([{ name: 'a/words.mp4', content: words, ...options }]);
    const [source] = await sourcesOfZip(fileOf(zip));
    expect(source).toMatchObject({
      ...{ path: 'a/words.mp4', name: 'words.mp4', size: words.length, archive: 'clips.zip' },
      isPlain: options.method === 0,
    });
    expect((await (await source?.open())?.text()) === String(words)).toBe(true);
    expect(Buffer.from((await source?.readStart(100)) ?? [])).toEqual(words.subarray(0, 100));
    expect((await source?.readStart(1e9))?.length).toBe(words.length);
  });

  it('is refused if it’s encrypted, or compressed in another way', async () => {
    const member = { name: 'a.mp4', content: words };
    expect(await readOnly(packedZip([{ ...member, method: 8, flags: 1 }]))).toBe(PROBLEMS.encrypted);
    expect(await readOnly(packedZip([{ ...member, method: 14 }]))).toBe(PROBLEMS.unknownPacking);
  });

  it('is damaged if it’s longer or shorter than the directory says, or can’t be inflated', async () => {
    const member = { name: 'a.mp4', content: words, method: 8 };
    const damaged = [
      packedZip([{ ...member, claimed: words.length - 1 }]),
      packedZip([{ ...member, claimed: words.length + 1 }]),
      packedZip([{ ...member, claimed: 0 }]),
      packedZip([{ ...member, packed: Buffer.alloc(200, 0xff) }]),
      packedZip([{ ...member, packed: deflateRawSync(words).subarray(0, 30) }]),
    ];
    for (const zip of damaged) expect(await readOnly(zip)).toBe(PROBLEMS.memberDamaged);
    const [last] = await sourcesOfZip(fileOf(damaged[3] ?? Buffer.alloc(0)));
    await expect(last?.readStart(10)).rejects.toThrow(PROBLEMS.memberDamaged);
  });

  it('has its name in UTF-8, or in the code page of MS-DOS', async () => {
    const members = [
      { name: 'Kühe.mp4', content: words, method: 0, flags: 1 << 11 },
      { name: 'Käse.mp4', content: words, method: 0 },
      { name: Buffer.from([0x4b, 0x94, 0x6c, 0x6e, 0x2e, 0x6d, 0x70, 0x34]), content: words, method: 0 },
      { name: 'old\\windows.mp4', content: words, method: 0 },
      { name: 'folder/', content: Buffer.alloc(0), method: 0 },
    ];
    const sources = await sourcesOfZip(fileOf(packedZip(members)));
    expect(sources.map(({ path }) => path)).toEqual(['Kühe.mp4', 'Käse.mp4', 'Köln.mp4', 'old/windows.mp4']);
  });

  it('is found in an archive of 25 GB, of which only the end and a few headers are read', async () => {
    const GB = 1_000_000_000;
    const modifiedAt = new Date('2026-03-01T12:00:00Z');
    const members = Array.from({ length: 25 }, (_, index) => ({
      ...{ path: `2024/${index}.mp4`, bytes: GB, crc32: 0, modifiedAt },
    }));
    const headers = members.map((member, index) => centralHeader(member, index * (GB + 100)));
    const directory = Buffer.concat(headers);
    const start = 25 * (GB + 100);
    const end = Buffer.concat([
      directory,
      endOfCentralDirectory({ members: members.length, bytes: directory.length, offset: start }),
    ]);
    let read = 0;
    const file = {
      size: start + end.length,
      slice: (from: number, to: number) => {
        read += to - from;
        const videos = new Uint8Array(Math.max(0, Math.min(to, start) - from));
        return new Blob([
          videos,
          new Uint8Array(end.subarray(Math.max(0, from - start), Math.max(0, to - start))),
        ]);
      },
    } as Blob;
    const index = await readZipIndex(file);
    expect(index.members.get('2024/24.mp4')).toMatchObject({
      ...{ offset: 24 * (GB + 100), bytes: GB, packedBytes: GB, packing: 'plain' },
      modifiedAt: modifiedAt.getTime(),
    });
    expect(read).toBeLessThan(1_000_000);
  });

  it('is the same as before in Daylight’s own archives', async () => {
    expect(await readOnly(zipOf([['a.mp4', words]]))).toBe(String(words));
  });
});
