import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ArchivedEntry, ArchivedJournal, ViewerMonth } from '@/lib/portability/exports/format';
import { viewerFiles } from '@/lib/portability/exports/viewer-files';

/** Text that would run, or break the page, if it weren't shown as text. */
export const HOSTILE = `<img src=x onerror="window.ran=1"></script><script>window.ran=1</script> "#%?&' ☀️`;

export interface ArchiveEntryFixture {
  id: string;
  date: string;
  title?: string;
  /** Missing in archives from before there were any. */
  question?: string;
  /** Path in the archive; a name with its date and title if it isn't given, null if storage had lost the video. */
  video?: string | null;
  tags?: string[];
  notes?: { text: string; moment: number | null }[];
  /** Said one every half second, from the start. */
  words?: string[];
}

const archivedFile = (path: string) => ({ path, bytes: 1, sha256: '0'.repeat(64) });

/** Returns an entry of `daylight.json`. */
export function archivedEntry({ id, date, title = id, ...rest }: ArchiveEntryFixture): ArchivedEntry {
  const { video = `${date.slice(0, 4)}/${date} ${title.replaceAll('/', '_')}.mp4` } = rest;
  const createdAt = `${date}T08:00:00.000Z`;
  return {
    id,
    title,
    date,
    ...(rest.question && { question: rest.question }),
    createdAt,
    fileName: 'clip.mp4',
    contentType: 'video/mp4',
    duration: 4,
    width: 320,
    height: 180,
    tags: rest.tags ?? [],
    notes: (rest.notes ?? []).map((note, index) => ({ id: `${id}-${index}`, createdAt, ...note })),
    original: video === null ? null : archivedFile(video),
    playable: null,
    thumbnail: null,
    transcript: rest.words ? archivedFile(`transcripts/${id}.json`) : null,
  };
}

/** Returns `daylight.json`. */
export function archivedJournal(
  entries: readonly ArchiveEntryFixture[],
  tags: ArchivedJournal['tags'] = [],
): ArchivedJournal {
  return {
    format: 'daylight-journal',
    version: 1,
    exportedAt: '2026-11-24T12:00:00.000Z',
    scope: { fromYear: null, toYear: null, selection: false },
    profile: {
      firstName: 'Ana',
      lastName: 'Silva',
      email: 'ana@example.com',
      gender: null,
      dateOfBirth: null,
      createdAt: '2024-01-01T00:00:00.000Z',
    },
    settings: { plan: 'Free', transcriptionLanguage: 'English', compressionType: 'H.264 (MP4)' },
    vocabulary: [],
    tags,
    hiddenMemories: [],
    entries: entries.map(archivedEntry),
  };
}

/** Returns a month's words, as its file has them. */
export const viewerMonth = (entries: readonly ArchiveEntryFixture[]): ViewerMonth =>
  Object.fromEntries(
    entries.flatMap(({ id, words }) =>
      words
        ? [
            [
              id,
              {
                words: words.map((word, at) => [word, at / 2, at / 2 + 0.5] as [string, number, number]),
                language: 'en',
              },
            ],
          ]
        : [],
    ),
  );

/**
 * Writes an archive with its viewer to a folder, with the same video for every entry.
 * @param video the path of a file
 * @returns the folder
 */
export async function writeArchive(
  entries: readonly ArchiveEntryFixture[],
  tags: ArchivedJournal['tags'],
  video: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daylight archive #1 '));
  const write = async (path: string, data: Buffer | string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), data);
  };
  for (const { path, data } of await viewerFiles()) await write(path, data);
  const journal = archivedJournal(entries, tags);
  await write('viewer/data/journal.js', `daylightArchive.journal(${JSON.stringify(journal)});`);
  for (const month of new Set(entries.map(({ date }) => date.slice(0, 7)))) {
    const words = viewerMonth(entries.filter(({ date }) => date.startsWith(month)));
    await write(`viewer/data/${month}.js`, `daylightArchive.month("${month}", ${JSON.stringify(words)});`);
  }
  for (const { original } of journal.entries) {
    if (!original) continue;
    await mkdir(dirname(join(folder, original.path)), { recursive: true });
    await copyFile(video, join(folder, original.path));
  }
  return folder;
}
