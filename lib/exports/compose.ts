import { z } from 'zod';
import { archivedTranscript } from '@/lib/transcripts/contract';
import { archiveEntry, findStored, viewerWords } from './archive-entry';
import type { ArchiveLayout } from './archive-layout';
import { entriesInScope } from './archived-entries';
import { type ArchivedEntry, type ArchivedJournal, archivedJournal, type ViewerMonth } from './format';
import { readJournal, withEntries } from './journal';
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

/**
 * Lays out an archive: what's in it, in which order.
 * @param onEntry called after each entry; throws to stop
 * @returns how many entries it has; null if the account is gone
 */
export async function composeArchive(
  layout: ArchiveLayout,
  userId: string,
  scope: Scope,
  { signal, onEntry }: { signal?: AbortSignal; onEntry: () => Promise<void> },
): Promise<number | null> {
  const now = new Date();
  const journal = await readJournal(userId, scope);
  if (!journal) return null;
  for (const { path, data } of await viewerFiles()) await layout.addText(path, data, now);
  await layout.addText('README.txt', README, now);
  const entries: ArchivedEntry[] = [];
  const months = new Months(layout);
  for await (const rows of entriesInScope(userId, scope)) {
    const stored = await Promise.all(rows.map((row) => findStored(userId, row, signal)));
    for (const [index, row] of rows.entries()) {
      const found = stored[index];
      if (!found) continue;
      const entry = await archiveEntry(layout, row, found);
      entries.push(entry);
      await months.add(entry, viewerWords(row), now);
      await onEntry();
    }
  }
  await months.flush(now);
  const whole: ArchivedJournal = withEntries(journal, entries);
  await layout.addText('viewer/data/journal.js', `daylightArchive.journal(${scriptJson(whole)});\n`, now);
  await layout.addText('daylight.json', JSON.stringify(whole), now);
  await layout.addText('daylight.schema.json', archiveSchema(), now);
  await layout.addText('SHA256SUMS', layout.checksums(), now);
  await layout.finish();
  return entries.length;
}
