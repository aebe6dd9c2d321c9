import type { DateSource } from '@/components/capture/uploads/video-file/date-finding';
import { readTypedDate } from '@/components/journal/entries/typed-date';
import { MAX_TITLE } from '@/components/portability/imports/sources/clip-text';
import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';
import { addDays, formatUsDate, parseUsDate } from '@/lib/journal/entries/shared/calendar';

export interface FoundDate {
  /** `MM/DD/YYYY` */
  date: string;
  source: DateSource;
}

/** A clip that may be imported, with what's known of it and what the person changed. */
export interface ReviewRow {
  id: string;
  /** The file's name. */
  name: string;
  /** The folder it's in; '' if none. */
  path: string;
  bytes: number;
  /** Null while it's unknown. */
  seconds: number | null;
  title: string;
  /** As typed, `MM/DD/YYYY`; '' if there's none. */
  date: string;
  source: DateSource | 'you' | null;
  /** Why the date may be wrong, in a sentence; null if it's certain, or the person has checked it. */
  warning: string | null;
  /** Other dates that were found. */
  others: readonly FoundDate[];
  tags: readonly string[];
  /** Which entry or clip it's the same as, in a sentence. */
  duplicate: string | null;
  /** Whether it's part of a Live Photo, and left out unless the person includes it. */
  isLivePhoto: boolean;
  /** Why it can't be imported, in a sentence. */
  problem: string | null;
  isIncluded: boolean;
}

/** A change to a row. `found` takes the date that was found in a source, where there is one. */
export type RowChange =
  | { kind: 'title'; title: string }
  | { kind: 'date'; date: string; source: ReviewRow['source'] }
  | { kind: 'shift'; days: number }
  | { kind: 'found'; source: DateSource }
  | { kind: 'confirm' }
  | { kind: 'tags'; tags: readonly string[] }
  | { kind: 'retag'; add: readonly string[]; remove: readonly string[] }
  | { kind: 'include'; isIncluded: boolean };

/** Returns why a title isn't valid; null if it is. */
export function checkTitle(title: string): string | null {
  const clean = cleanText(title);
  const { length } = [...clean];
  if (isBlank(clean)) return 'A title is required.';
  return length > MAX_TITLE ? `Use at most ${MAX_TITLE} characters.` : null;
}

/** Returns why a typed date isn't valid; null if it is. */
export function checkDate(date: string): string | null {
  if (date.trim() === '') return 'No date found. Enter one.';
  const read = readTypedDate(date);
  return 'error' in read ? read.error : null;
}

/** Returns the dates that were found, the current one first if it's one of them. */
export function foundDates({ date, source, others }: ReviewRow): readonly FoundDate[] {
  return source && source !== 'you' && date ? [{ date, source }, ...others] : others;
}

function setDate(row: ReviewRow, date: string, source: ReviewRow['source']): ReviewRow {
  if (date === row.date && source === row.source && row.warning === null) return row;
  const others = foundDates(row).filter((one) => one.date !== date || one.source !== source);
  return { ...row, date, source, warning: null, others };
}

function shiftDate(row: ReviewRow, days: number): ReviewRow {
  const date = parseUsDate(row.date);
  return date && days !== 0 ? setDate(row, formatUsDate(addDays(date, days)), 'you') : row;
}

const keyOf = (tag: string) => tag.normalize('NFC').toLowerCase();

const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((tag, index) => tag === other[index]);

/** Sets a row's tags: normalized, trimmed, and each once, ignoring case. */
function setTags(row: ReviewRow, tags: readonly string[]): ReviewRow {
  const unique = new Map<string, string>();
  for (const tag of tags.map(cleanText)) {
    if (!isBlank(tag) && !unique.has(keyOf(tag))) unique.set(keyOf(tag), tag);
  }
  const next = [...unique.values()];
  return areSame(next, row.tags) ? row : { ...row, tags: next };
}

function retag(row: ReviewRow, add: readonly string[], remove: readonly string[]): ReviewRow {
  const gone = new Set(remove.map(keyOf));
  return setTags(row, [...row.tags.filter((tag) => !gone.has(keyOf(tag))), ...add]);
}

/**
 * Returns the row with a change, or the same object if nothing changes. A new date clears the warning. A row that can't
 * be imported can't be included.
 */
export function changeRow(row: ReviewRow, change: RowChange): ReviewRow {
  switch (change.kind) {
    case 'title': {
      const title = cleanText(change.title);
      return title === row.title ? row : { ...row, title };
    }
    case 'date':
      return setDate(row, change.date.trim(), change.source);
    case 'shift':
      return shiftDate(row, change.days);
    case 'found': {
      const found = foundDates(row).find(({ source }) => source === change.source);
      return found ? setDate(row, found.date, found.source) : row;
    }
    case 'confirm':
      return row.warning === null ? row : { ...row, warning: null };
    case 'tags':
      return setTags(row, change.tags);
    case 'retag':
      return retag(row, change.add, change.remove);
    case 'include':
      return row.problem !== null || row.isIncluded === change.isIncluded
        ? row
        : { ...row, isIncluded: change.isIncluded };
  }
}

/** What a person changed in a row. It can be stored, and applied when the same clips are read again. */
export interface RowEdit {
  title?: string;
  /** Always with `source`. */
  date?: string;
  source?: ReviewRow['source'];
  /** Whether the warning about the date was dismissed without changing the date. */
  isConfirmed?: true;
  tags?: readonly string[];
  isIncluded?: boolean;
}

/** Returns how a row differs from what was read. */
export function editOf(original: ReviewRow, row: ReviewRow): RowEdit {
  const edit: RowEdit = {};
  if (row === original) return edit;
  if (row.title !== original.title) edit.title = row.title;
  if (row.date !== original.date || row.source !== original.source) {
    edit.date = row.date;
    edit.source = row.source;
  } else if (row.warning === null && original.warning !== null) edit.isConfirmed = true;
  if (!areSame(row.tags, original.tags)) edit.tags = row.tags;
  if (row.isIncluded !== original.isIncluded) edit.isIncluded = row.isIncluded;
  return edit;
}

function changesOf({ title, date, source = 'you', isConfirmed, tags, isIncluded }: RowEdit): RowChange[] {
  const changes: RowChange[] = [];
  if (title !== undefined) changes.push({ kind: 'title', title });
  if (date !== undefined) changes.push({ kind: 'date', date, source });
  if (isConfirmed) changes.push({ kind: 'confirm' });
  if (tags) changes.push({ kind: 'tags', tags });
  if (isIncluded !== undefined) changes.push({ kind: 'include', isIncluded });
  return changes;
}

/** Applies stored edits to rows that were read again. Rows without an edit stay the same objects. */
export const applyEdits = (
  rows: readonly ReviewRow[],
  edits: ReadonlyMap<string, RowEdit>,
): readonly ReviewRow[] => rows.map((row) => changesOf(edits.get(row.id) ?? {}).reduce(changeRow, row));
