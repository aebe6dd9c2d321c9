import { readObject } from '@/lib/clients/storage-objects';
import { runInBackground } from '@/lib/foundation/shared/steps';
import { type ChecksummedFile, checksummedFile, type StoredFile } from '@/lib/journal/entries/checksums';
import { entryFileName, sourceExtension } from '@/lib/journal/entries/file-names';
import { archivedTranscriptJson } from '@/lib/journal/transcripts/archive';
import { plainText, subRip, webVtt } from '@/lib/journal/transcripts/shared/captions';
import { presentWords } from '@/lib/journal/transcripts/shared/word-list';
import type { ArchiveLayout } from './archive-layout';
import { type EntryRow, revisionsOf } from './archived-entries';
import type { ArchivedEntry, ViewerMonth } from './format';

/** What storage has of an entry. */
interface StoredEntry {
  original: StoredFile | null;
  playable: StoredFile | null;
  thumbnail: Buffer | null;
}

/** Looks up an entry's files in storage, and computes the checksums that aren't known. */
export async function findStored(
  userId: string,
  entry: EntryRow,
  reading: { signal: AbortSignal; onChunk: () => Promise<void> },
): Promise<StoredEntry> {
  const { id, files, isReady, thumbnailKey } = entry;
  const find = (name: ChecksummedFile) => checksummedFile({ userId, entryId: id }, name, files, reading);
  const needsCopy = files.source?.playable !== true;
  const [original, copy, thumbnail] = await Promise.all([
    find('source'),
    isReady && needsCopy ? find('video.mp4') : null,
    thumbnailKey ? readObject(thumbnailKey) : null,
  ]);
  const isLost = isReady && !original && !needsCopy;
  return { original, playable: isLost ? await find('video.mp4') : copy, thumbnail };
}

const PLAYABLE = '.playable.mp4';

/** Adds an entry's files to an archive. @returns the entry as `daylight.json` lists it */
export async function archiveEntry(
  layout: ArchiveLayout,
  row: EntryRow,
  stored: StoredEntry,
): Promise<ArchivedEntry> {
  const { latest, createdAt } = row;
  const year = row.date.slice(0, 4);
  const extension = `.${sourceExtension(row.fileName, row.contentType)}`;
  const name = layout.reserveName(`${year}/${entryFileName(row)}`, [extension, PLAYABLE, '.txt', '.srt']);
  const { original, playable, thumbnail } = stored;
  const files = {
    original: original && (await layout.addObject(name + extension, original.object, original, createdAt)),
    playable: playable && (await layout.addObject(name + PLAYABLE, playable.object, playable, createdAt)),
    thumbnail: thumbnail && (await layout.addText(`viewer/thumbnails/${row.id}.jpg`, [thumbnail], createdAt)),
    // Also that there's nothing to hear, or that it failed: an import doesn't try again.
    transcript:
      latest || row.transcriptStatus !== 'processing' ? await archiveTranscript(layout, name, row) : null,
  };
  return {
    id: row.id,
    title: row.title,
    date: row.date,
    createdAt: createdAt.toISOString(),
    fileName: row.fileName,
    contentType: row.contentType,
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    width: row.width,
    height: row.height,
    tags: row.tags,
    notes: row.notes,
    ...files,
  };
}

async function archiveTranscript(layout: ArchiveLayout, name: string, row: EntryRow) {
  const { latest, createdAt } = row;
  const words = presentWords(latest?.words ?? []);
  if (words.length > 0) {
    await layout.addText(`${name}.txt`, await runInBackground(plainText(words)), createdAt);
    await layout.addText(`${name}.srt`, await runInBackground(subRip(words)), createdAt);
    await layout.addText(`transcripts/${name}.vtt`, await runInBackground(webVtt(words)), createdAt);
  }
  const json: Buffer[] = [];
  for await (const piece of archivedTranscriptJson(row, revisionsOf(row))) json.push(Buffer.from(piece));
  return layout.addText(`transcripts/${name}.json`, json, createdAt);
}

/** Returns the words of the latest revision, as the viewer reads them. */
export function viewerWords({ latest }: Pick<EntryRow, 'latest'>): ViewerMonth[string]['words'] {
  return latest?.words.map(([word, start, end]) => [word, start, end]) ?? [];
}
