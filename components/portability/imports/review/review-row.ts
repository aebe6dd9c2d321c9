import { readTypedDate } from '@/components/journal/entries/typed-date';
import { addDays, formatUsDate, parseUsDate } from '@/lib/journal/entries/shared/calendar';

/** Where a date was found. `modified` is the file's last change. */
export type DateSource = 'sidecar' | 'metadata' | 'name' | 'folder' | 'modified';

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
  /** Why it can't be imported, in a sentence. */
  problem: string | null;
  isIncluded: boolean;
}

/** A change to a row. `found` takes the date that was found in a source, where there is one. */
export type RowChange =
  | { kind: 'title'; title: string }
  | { kind: 'date'; date: string; source?: ReviewRow['source'] }
  | { kind: 'shift'; days: number }
  | { kind: 'found'; source: DateSource }
  | { kind: 'confirm' }
  | { kind: 'tags'; tags: readonly string[] }
  | { kind: 'retag'; add: readonly string[]; remove: readonly string[] }
  | { kind: 'include'; isIncluded: boolean };

/** The longest title, in characters. */
export const MAX_TITLE = 200;

/** Returns why a title isn't valid; null if it is. */
export function checkTitle(title: string): string | null {
  const { length } = [...title.normalize('NFC').trim()];
  if (length === 0) return 'A title is required.';
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

const keyOf = (tag: string) => tag.toLowerCase();

/** Sets a row's tags: trimmed, and each once, ignoring case. */
function setTags(row: ReviewRow, tags: readonly string[]): ReviewRow {
  const unique = new Map<string, string>();
  for (const tag of tags.map((name) => name.trim())) {
    if (tag && !unique.has(keyOf(tag))) unique.set(keyOf(tag), tag);
  }
  const next = [...unique.values()];
  const isSame = next.length === row.tags.length && next.every((tag, index) => tag === row.tags[index]);
  return isSame ? row : { ...row, tags: next };
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
      const title = change.title.trim();
      return title === row.title ? row : { ...row, title };
    }
    case 'date':
      return setDate(row, change.date.trim(), change.source === undefined ? 'you' : change.source);
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
