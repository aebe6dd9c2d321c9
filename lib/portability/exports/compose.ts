import { z } from 'zod';
import { readObject } from '@/lib/clients/storage-objects';
import { runInBackground } from '@/lib/foundation/shared/steps';
import { type ChecksummedFile, checksummedFile } from '@/lib/journal/entries/checksums';
import { entryFileName, sourceExtension } from '@/lib/journal/entries/file-names';
import { archivedTranscriptJson } from '@/lib/journal/transcripts/archive';
import { archivedTranscript } from '@/lib/journal/transcripts/contract';
import { plainText, subRip, webVtt } from '@/lib/journal/transcripts/shared/captions';
import { presentWords } from '@/lib/journal/transcripts/shared/word-list';
import type { ArchiveLayout } from './archive-layout';
import { type EntryRow, type Place, placesInScope, readEntries, revisionsOf } from './archived-entries';
import { type ArchivedEntry, archivedJournal, type ViewerMonth } from './format';
import { readJournal } from './journal';
import { ExportStopped } from './run';
import type { Scope } from './scope';
import { viewerFiles } from './viewer-files';

/** JSON as part of a script: no line separators, which older engines refuse in strings, and nothing that ends it. */
const scriptJson = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

const README = `This is your journal from Daylight.

Open index.html in a browser to watch, read, and search it. It needs no internet connection.

Your videos are in a folder for each year. Next to each video are its words as text (.txt) and as subtitles (.srt).
Where a video doesn’t play in every browser, a copy that does is next to it (.playable.mp4).

transcripts/    every word with its time, and every correction (.json), and captions (.vtt)
daylight.json   everything else: titles, dates, questions, tags, notes, settings
daylight.schema.json   what the JSON files contain
SHA256SUMS      to check that every file is intact: sha256sum --check SHA256SUMS

Daylight can import this archive.
`;

/**
 * Returns the schema of `daylight.json`, and of transcripts under `$defs`, as JSON Schema 2020-12. It allows keys that
 * it doesn't name, since a version may get new ones.
 */
export function archiveSchema(): string {
  const { $schema, $defs } = z.toJSONSchema(z.tuple([archivedJournal, archivedTranscript]), { io: 'input' });
  const $id = `urn:daylight:archive:${archivedJournal.shape.version.value}`;
  return JSON.stringify({ $schema, $id, $ref: '#/$defs/DaylightJournal', $defs }, null, 2);
}

/** Looks up an entry's files in storage, and computes the checksums that aren't known. */
async function findStored(
  userId: string,
  entry: EntryRow,
  reading: { signal: AbortSignal; onChunk: () => Promise<void> },
) {
  const { id, files, isReady, storedOnce, thumbnailKey } = entry;
  const find = (name: ChecksummedFile) =>
    checksummedFile({ userId, entryId: id, storedOnce }, name, files, reading);
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
async function archiveEntry(
  layout: ArchiveLayout,
  row: EntryRow,
  stored: Awaited<ReturnType<typeof findStored>>,
): Promise<ArchivedEntry> {
  const { latest, createdAt } = row;
  const year = row.date.slice(0, 4);
  const extension = `.${sourceExtension(row.fileName, row.contentType)}`;
  const name = layout.reserveName(`${year}/${entryFileName(row)}`, [extension, PLAYABLE, '.txt', '.srt']);
  const { original, playable, thumbnail } = stored;
  const files = {
    original: original && (await layout.addObject(name + extension, original, createdAt)),
    playable: playable && (await layout.addObject(name + PLAYABLE, playable, createdAt)),
    thumbnail: thumbnail && (await layout.addText(`viewer/thumbnails/${row.id}.jpg`, [thumbnail], createdAt)),
    // Also that there's nothing to hear, or that it failed: an import doesn't try again.
    transcript:
      latest || row.transcriptStatus !== 'processing' ? await archiveTranscript(layout, name, row) : null,
  };
  return {
    id: row.id,
    title: row.title,
    date: row.date,
    question: row.question,
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

/** Writes a month's words once all of its entries are there. */
class Months {
  #month = '';
  #words: ViewerMonth = {};

  constructor(
    private readonly layout: ArchiveLayout,
    private readonly now: Date,
  ) {}

  async add(entry: ArchivedEntry, { latest, language }: EntryRow): Promise<void> {
    const month = entry.date.slice(0, 7);
    if (month !== this.#month) await this.flush();
    this.#month = month;
    // Also without words: the viewer asks for each transcript that there is.
    if (entry.transcript)
      this.#words[entry.id] = {
        words: (latest?.words ?? []).map(([word, start, end]) => [word, start, end]),
        language,
      };
  }

  async flush(): Promise<void> {
    if (Object.keys(this.#words).length > 0) {
      const call = `daylightArchive.month(${scriptJson(this.#month)}, ${scriptJson(this.#words)});\n`;
      await this.layout.addText(`viewer/data/${this.#month}.js`, call, this.now);
    }
    this.#words = {};
  }
}

/** How many entries are looked up at once, while those before them are laid out. */
const BATCH = 24;

/** Yields an archive's entries with what storage has of them, a few at a time, and looks up the next ones meanwhile. */
async function* storedEntries(
  userId: string,
  places: readonly Place[],
  reading: Parameters<typeof findStored>[2],
) {
  const lookUp = async (from: number) => {
    const rows = await readEntries(userId, places.slice(from, from + BATCH));
    return Promise.all(rows.map(async (row) => ({ row, stored: await findStored(userId, row, reading) })));
  };
  let next = lookUp(0);
  for (let from = 0; from < places.length; from += BATCH) {
    const batch = await next;
    next = lookUp(from + BATCH);
    // It's awaited in its turn, unless this one fails.
    next.catch(() => undefined);
    yield* batch;
  }
}

/**
 * Lays out an archive: what's in it, in which order.
 * @param onProgress called all the time with the share that's done; throws to stop
 * @throws ExportStopped if the account is gone
 */
export async function composeArchive(
  layout: ArchiveLayout,
  userId: string,
  scope: Scope,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => Promise<void> },
): Promise<void> {
  const now = new Date();
  for (const { path, data } of await viewerFiles()) await layout.addText(path, [data], now);
  await layout.addText('README.txt', README, now);
  const entries: ArchivedEntry[] = [];
  const months = new Months(layout, now);
  const places = await placesInScope(userId, scope);
  const reportProgress = () => onProgress(entries.length / places.length);
  const reading = { signal, onChunk: reportProgress };
  for await (const { row, stored } of storedEntries(userId, places, reading)) {
    signal.throwIfAborted();
    const entry = await archiveEntry(layout, row, stored);
    entries.push(entry);
    await months.add(entry, row);
    await reportProgress();
  }
  await months.flush();
  // Last, so that it has the tags that entries got meanwhile.
  const whole = await readJournal(userId, scope, entries);
  if (!whole) throw new ExportStopped();
  await layout.addText('viewer/data/journal.js', `daylightArchive.journal(${scriptJson(whole)});\n`, now);
  await layout.addText('daylight.json', JSON.stringify(whole), now);
  await layout.addText('daylight.schema.json', archiveSchema(), now);
  await layout.addText('SHA256SUMS', layout.checksums(), now);
  await layout.finish();
}
