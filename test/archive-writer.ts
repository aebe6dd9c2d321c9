import { createHash, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import type { ArchivedEntry, ArchivedJournal } from '@/lib/portability/exports/format';
import { centralHeader, endOfCentralDirectory, localHeader } from '@/lib/portability/exports/zip';

/** The files of an archive by their paths, without `daylight.json`. */
type ArchiveFiles = Map<string, Buffer>;

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns the members as a ZIP, stored uncompressed. */
export function zipOf(members: Iterable<readonly [path: string, bytes: Buffer]>): Buffer {
  const modifiedAt = new Date('2026-03-01T12:00:00Z');
  const [front, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, bytes] of members) {
    const member = { path, bytes: bytes.length, crc32: crc32(bytes), modifiedAt };
    const header = localHeader(member);
    front.push(header, bytes);
    directory.push(centralHeader(member, offset));
    offset += header.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = endOfCentralDirectory({ members: directory.length, bytes: size, offset });
  return Buffer.concat([...front, ...directory, end]);
}

/** Returns an archive as Daylight makes it. */
export const archiveOf = (journal: ArchivedJournal, files: ArchiveFiles): Buffer =>
  zipOf([...files, ['daylight.json', Buffer.from(JSON.stringify(journal))]]);

function addFile(files: ArchiveFiles, path: string, bytes: Buffer) {
  files.set(path, bytes);
  return { path, bytes: bytes.length, sha256: sha256Of(bytes) };
}

/** What was heard in an archived entry, and how a person corrected it. */
export const archivedTranscript: ArchivedTranscript = {
  format: 'daylight-transcript',
  version: 1,
  status: 'completed',
  language: 'en-US',
  revisions: [
    {
      revision: 0,
      createdAt: '2024-05-02T10:00:00.250Z',
      engine: 'moonshine-base',
      draft: false,
      estimated: false,
      logProbability: -0.125,
      words: [
        { word: 'Called', start: 0.1, end: 0.4, confidence: 0.97 },
        { word: 'dad.', start: 0.4, end: 0.875 },
      ],
    },
    {
      revision: 1,
      createdAt: '2024-05-03T10:00:00.000Z',
      engine: null,
      draft: false,
      estimated: false,
      logProbability: null,
      words: [
        { word: 'Called', start: 0.1, end: 0.4, confidence: 0.97 },
        { word: 'Dad.', start: 0.4, end: 0.875 },
      ],
    },
  ],
};

/** Adds an entry with a video to an archive's files. */
export function archivedEntry(
  files: ArchiveFiles,
  video: Buffer,
  {
    transcript = archivedTranscript,
    ...values
  }: Partial<Omit<ArchivedEntry, 'transcript'>> & {
    transcript?: ArchivedTranscript | null;
  } = {},
): ArchivedEntry {
  const id = values.id ?? randomUUID();
  const words = transcript && Buffer.from(JSON.stringify(transcript));
  return {
    title: 'The morning I finally called Dad',
    date: '2024-05-01',
    createdAt: '2024-05-02T09:59:59.999Z',
    fileName: 'harbor.mp4',
    contentType: 'video/mp4',
    duration: 2,
    width: 320,
    height: 240,
    tags: [],
    notes: [],
    original: addFile(files, `2024/${id}.mp4`, video),
    playable: null,
    thumbnail: null,
    transcript: words && addFile(files, `2024/${id}.json`, words),
    ...values,
    id,
  };
}

/** Returns a journal with these entries. */
export const archivedJournal = (
  entries: ArchivedEntry[],
  values: Partial<ArchivedJournal> = {},
): ArchivedJournal => ({
  format: 'daylight-journal',
  version: 1,
  exportedAt: '2026-03-01T12:00:00.000Z',
  scope: { fromYear: null, toYear: null, selection: false },
  profile: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    gender: null,
    dateOfBirth: null,
    createdAt: '2023-01-01T00:00:00.000Z',
  },
  settings: { plan: 'Free', transcriptionLanguage: 'English', compressionType: 'H.264 (MP4)' },
  vocabulary: [],
  tags: [],
  hiddenMemories: [],
  entries,
  ...values,
});
