import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { archivedEntry, archivedJournal, archivedTranscript, archiveOf, zipOf } from '@/test/archive-writer';
import { fullArchive, smallArchive } from '@/test/sample-archives';
import { PROBLEMS } from './archive-problem';
import { findProblem, openArchive, readTranscript } from './read-archive';
import { sliceMember } from './read-zip';

const fileOf = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'journal.zip');
const small = () => {
  const { journal, files } = smallArchive();
  return { journal, files, zip: archiveOf(journal, files) };
};

/** Returns what a person is told about a file, or `ok`. */
const verdict = (bytes: Uint8Array) =>
  openArchive(fileOf(bytes)).then(
    () => 'ok',
    (error: Error) => error.message,
  );

/** Returns a ZIP whose bytes at the last place of a signature are changed. */
function altered(zip: Buffer, signature: number, at: number, value: number, size: 2 | 4 = 2): Buffer {
  const copy = Buffer.from(zip);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  const place = copy.lastIndexOf(bytes) + at;
  if (size === 2) copy.writeUInt16LE(value, place);
  else copy.writeUInt32LE(value, place);
  return copy;
}

const CENTRAL = 0x02014b50;
const END = 0x06054b50;

describe('an archive', () => {
  it('is read where it lies: the journal, the words, and each video as a slice', async () => {
    const { journal, files } = fullArchive();
    const archive = await openArchive(fileOf(archiveOf(journal, files)));
    expect(archive.journal).toEqual(journal);
    const [first] = archive.entries;
    if (!first) throw new Error('no entry');
    expect(findProblem(archive, first)).toBeNull();
    expect(await readTranscript(archive, first)).toEqual(archivedTranscript);
    const slice = await sliceMember(archive.file, archive.index, first.video);
    expect(Buffer.from(await slice.arrayBuffer())).toEqual(files.get(first.video.path));
  });

  it('is read if it was unpacked and packed again on a disk that composes letters in another way', async () => {
    const files = new Map<string, Buffer>();
    const bytes = randomBytes(900);
    const entry = archivedEntry(files, bytes);
    if (!entry.original) throw new Error('no video');
    files.delete(entry.original.path);
    entry.original.path = '2024/Été à la mer.mp4'.normalize('NFC');
    files.set(entry.original.path.normalize('NFD'), bytes);
    const archive = await openArchive(fileOf(archiveOf(archivedJournal([entry]), files)));
    const [only] = archive.entries;
    if (!only) throw new Error('no entry');
    expect(findProblem(archive, only)).toBeNull();
    const slice = await sliceMember(archive.file, archive.index, only.video);
    expect(Buffer.from(await slice.arrayBuffer())).toEqual(bytes);
  });

  it('is read without settings and a profile, as a selection is', async () => {
    const { journal, files } = small();
    const nothing = { lastName: null, email: null, gender: null, dateOfBirth: null, createdAt: null };
    const selection = {
      ...journal,
      scope: { ...journal.scope, selection: true },
      profile: { firstName: 'Ana', ...nothing },
      settings: null,
    };
    const archive = await openArchive(fileOf(archiveOf(selection, files)));
    expect(archive.journal).toEqual(selection);
    expect(archive.entries).toHaveLength(journal.entries.length);
  });

  it('is refused if it isn’t Daylight’s, is from the future, or is damaged', async () => {
    const { journal, files, zip } = small();
    const withJournal = (value: unknown) =>
      verdict(zipOf([...files, ['daylight.json', Buffer.from(JSON.stringify(value))]]));
    expect(await Promise.all([verdict(Buffer.from('%PDF-1.7')), verdict(Buffer.alloc(0))])).toEqual([
      PROBLEMS.noZip,
      PROBLEMS.noZip,
    ]);
    expect(await verdict(zip.subarray(0, zip.length - 30))).toBe(PROBLEMS.noZip);
    expect(await verdict(zip.subarray(200))).toBe(PROBLEMS.damaged);
    expect(await verdict(zipOf(files))).toBe(PROBLEMS.foreign);
    expect(await withJournal({ ...journal, format: 'other' })).toBe(PROBLEMS.foreign);
    expect(await withJournal({ ...journal, version: 2 })).toBe(PROBLEMS.newer);
    expect(await verdict(zipOf([['daylight.json', Buffer.from('{"format":')]]))).toBe(PROBLEMS.damaged);
    const [entry] = journal.entries;
    const numbers = [
      [{ ...entry, duration: -1 }],
      [{ ...entry, duration: '2' }],
      [{ ...entry, original: { ...entry?.original, bytes: -1 } }],
      [{ ...entry, original: { ...entry?.original, bytes: 0.5 } }],
    ];
    for (const entries of [
      null,
      [null],
      [{ ...entry, original: 'x' }],
      [{ ...entry, notes: [1] }],
      [[]],
      ...numbers,
    ]) {
      expect(await withJournal({ ...journal, entries })).toBe(PROBLEMS.damaged);
    }
    expect(await withJournal({ ...journal, tags: [null] })).toBe(PROBLEMS.damaged);
  });

  it('is refused if its directory lies', async () => {
    const { files, zip, journal } = small();
    const lies = [
      altered(zip, END, 10, 0xfff0),
      altered(zip, END, 12, 0x7fffffff, 4),
      altered(zip, END, 16, 0x7fffffff, 4),
      altered(zip, CENTRAL, 28, 0xffff),
      altered(zip, CENTRAL, 42, 0x7fffffff, 4),
      // It says that it's larger than it is, as a ZIP bomb does.
      altered(zip, CENTRAL, 24, 0x7fffffff, 4),
      zipOf([...files, ...files, ['daylight.json', Buffer.from(JSON.stringify(journal))]]),
    ];
    const found = await Promise.all(lies.map(verdict));
    expect(new Set(found)).toEqual(new Set([PROBLEMS.damaged, PROBLEMS.repacked]));
    expect(await verdict(altered(zip, CENTRAL, 10, 8))).toBe(PROBLEMS.repacked);
    expect(await verdict(altered(zip, CENTRAL, 8, 1))).toBe(PROBLEMS.repacked);
  });
});

describe('an entry of a damaged archive', () => {
  it('tells if its files are missing, short, or changed, and the others can be read', async () => {
    const files = new Map<string, Buffer>();
    const entries = [0, 1, 2, 3].map(() => archivedEntry(files, randomBytes(900)));
    const [missing, changed, outside] = entries;
    files.delete(missing?.original?.path ?? '');
    files.set(changed?.transcript?.path ?? '', Buffer.alloc(changed?.transcript?.bytes ?? 0, ' '));
    if (outside?.original) outside.original.path = '../../etc/passwd';
    const archive = await openArchive(fileOf(archiveOf(archivedJournal(entries), files)));
    expect(archive.entries.map((entry) => findProblem(archive, entry))).toEqual([
      PROBLEMS.videoMissing,
      null,
      PROBLEMS.videoMissing,
      null,
    ]);
    const words = archive.entries.map((entry) =>
      readTranscript(archive, entry).then(
        () => 'ok',
        (error: Error) => error.message,
      ),
    );
    expect(await Promise.all(words)).toEqual(['ok', PROBLEMS.wordsDamaged, 'ok', 'ok']);
  });

  it('tells if its transcript is missing or too large, and if nothing says which entry it is', async () => {
    const files = new Map<string, Buffer>();
    const entries = [0, 1, 2, 3, 4, 5].map(() => archivedEntry(files, randomBytes(900)));
    const [missing, large, nameless, undated, unchecked] = entries;
    files.delete(missing?.transcript?.path ?? '');
    // Larger than anything that the test would want in memory.
    const index = new Map([
      [
        large?.transcript?.path ?? '',
        {
          bytes: 100_000_001,
          packedBytes: 100_000_001,
          offset: 0,
          packing: 'plain' as const,
          modifiedAt: null,
        },
      ],
    ]);
    if (large?.transcript) large.transcript.bytes = 100_000_001;
    if (nameless) nameless.id = 'x'.repeat(101);
    if (undated) undated.date = '2024-02-30';
    if (unchecked?.original) unchecked.original.sha256 = 'none';
    const archive = await openArchive(fileOf(archiveOf(archivedJournal(entries), files)));
    const byPath = new Map([...archive.index.byPath, ...index]);
    const found = archive.entries.map((entry) =>
      findProblem({ ...archive, index: { ...archive.index, byPath } }, entry),
    );
    const { wordsMissing, wordsTooLarge, entryDamaged } = PROBLEMS;
    const damaged = [entryDamaged, entryDamaged, entryDamaged];
    expect(found).toEqual([wordsMissing, wordsTooLarge, ...damaged, null]);
  });
});
