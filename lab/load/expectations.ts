import type { Entry } from '@/lib/journal/entries/contract';
import type { EntryRow } from './evidence';
import type { UploadKind } from './schedule';
import { UPLOAD_KINDS } from './upload-kinds';
import type { Outcome } from './uploads';

const spoken = (entry: Entry): string =>
  entry.transcription.words
    .map(({ word }) => word)
    .join(' ')
    .toLowerCase();

/** Returns how an entry differs from what has to become of its upload. */
export function compareEntry(kind: UploadKind, entry: Entry | null): string[] {
  const { place, video, error, transcript, words } = UPLOAD_KINDS[kind].ends;
  if (place !== 'journal') return entry ? ['is still in the journal'] : [];
  if (!entry) return ['isn’t in the journal'];
  const { status } = entry.transcription;
  return [
    ...(entry.videoStatus === video ? [] : [`video is ${entry.videoStatus} (${entry.videoError})`]),
    ...(entry.videoError === (error ?? null) ? [] : [`says “${entry.videoError}”`]),
    ...(transcript?.includes(status as never) ? [] : [`transcript is ${status}`]),
    ...(words && !spoken(entry).includes(words) ? [`heard “${spoken(entry)}”`] : []),
  ];
}

/** Returns where there isn't exactly one row for each upload, in the right place, or where there are others. */
export function compareRows(outcomes: readonly Outcome[], rows: readonly EntryRow[]): string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  for (const { title, kind, entryId } of outcomes) {
    const { place } = UPLOAD_KINDS[kind].ends;
    const own = rows.filter((row) => row.title.startsWith(title));
    for (const { id } of own) known.add(id);
    const wanted = place === 'nowhere' ? 0 : 1;
    if (own.length !== wanted)
      problems.push(`“${title}” (${kind}) has ${own.length} entries: ${own.map(({ id }) => id)}`);
    const [row] = own;
    if (!row) continue;
    if (row.id !== entryId) problems.push(`“${title}” is ${row.id}, and its person was told ${entryId}`);
    if (row.trashed !== (place === 'trash'))
      problems.push(`“${title}” is ${row.trashed ? '' : 'not '}in the trash`);
  }
  for (const { id, title } of rows)
    if (!known.has(id)) problems.push(`“${title}” (${id}) was never uploaded`);
  return problems;
}
