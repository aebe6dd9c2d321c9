import { z } from 'zod';
import { archivedTranscript } from '@/lib/journal/transcripts/contract';
import { archiveEntry, findStored, viewerWords } from './archive-entry';
import type { ArchiveLayout } from './archive-layout';
import { type Place, placesInScope, readEntries } from './archived-entries';
import { type ArchivedEntry, type ArchivedJournal, archivedJournal, type ViewerMonth } from './format';
import { readJournal, withEntries } from './journal';
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
daylight.json   everything else: titles, dates, tags, notes, settings
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

/** Writes a month's words once all of its entries are there. */
class Months {
  #month = '';
  #words: ViewerMonth = {};

  constructor(private readonly layout: ArchiveLayout) {}

  async add(entry: ArchivedEntry, words: ViewerMonth[string]['words'], now: Date): Promise<void> {
    const month = entry.date.slice(0, 7);
    if (month !== this.#month) await this.flush(now);
    this.#month = month;
    // Also without words: the viewer asks for each transcript that there is.
    if (entry.transcript) this.#words[entry.id] = { words };
  }

  async flush(now: Date): Promise<void> {
    if (Object.keys(this.#words).length > 0) {
      const call = `daylightArchive.month(${scriptJson(this.#month)}, ${scriptJson(this.#words)});\n`;
      await this.layout.addText(`viewer/data/${this.#month}.js`, call, now);
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
  const months = new Months(layout);
  const places = await placesInScope(userId, scope);
  const reportProgress = () => onProgress(entries.length / places.length);
  const reading = { signal, onChunk: reportProgress };
  for await (const { row, stored } of storedEntries(userId, places, reading)) {
    signal.throwIfAborted();
    const entry = await archiveEntry(layout, row, stored);
    entries.push(entry);
    await months.add(entry, viewerWords(row), now);
    await reportProgress();
  }
  await months.flush(now);
  // Last, so that it has the tags that entries got meanwhile.
  const journal = await readJournal(userId, scope);
  if (!journal) throw new ExportStopped();
  const whole: ArchivedJournal = withEntries(journal, entries);
  await layout.addText('viewer/data/journal.js', `daylightArchive.journal(${scriptJson(whole)});\n`, now);
  await layout.addText('daylight.json', JSON.stringify(whole), now);
  await layout.addText('daylight.schema.json', archiveSchema(), now);
  await layout.addText('SHA256SUMS', layout.checksums(), now);
  await layout.finish();
}
