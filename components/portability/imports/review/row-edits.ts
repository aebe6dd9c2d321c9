import { changeRow, type ReviewRow, type RowChange } from './review-row';

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

const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((tag, index) => tag === other[index]);

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

function changesOf({ title, date, source, isConfirmed, tags, isIncluded }: RowEdit): RowChange[] {
  const changes: RowChange[] = [];
  if (title !== undefined) changes.push({ kind: 'title', title });
  if (date !== undefined) changes.push({ kind: 'date', date, source });
  if (isConfirmed) changes.push({ kind: 'confirm' });
  if (tags) changes.push({ kind: 'tags', tags });
  if (isIncluded !== undefined) changes.push({ kind: 'include', isIncluded });
  return changes;
}

/** Returns the row with an edit, or the same object if there's nothing to change. */
export const applyEdit = (original: ReviewRow, edit: RowEdit): ReviewRow =>
  changesOf(edit).reduce(changeRow, original);

/** Applies stored edits to rows that were read again. Rows without an edit stay the same objects. */
export const applyEdits = (
  rows: readonly ReviewRow[],
  edits: ReadonlyMap<string, RowEdit>,
): readonly ReviewRow[] => rows.map((row) => applyEdit(row, edits.get(row.id) ?? {}));
