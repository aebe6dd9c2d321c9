import { countClips, describeChange } from './describe-row';
import { matchesFilter, type ReviewFilter } from './review-filters';
import { applyEdits, changeRow, editOf, type ReviewRow, type RowChange, type RowEdit } from './review-row';

/** The rows of an import while a person reviews them. A row that doesn't change stays the same object. */
export interface ReviewState {
  rows: readonly ReviewRow[];
  /** The rows as they were read, in the same order. */
  originals: readonly ReviewRow[];
  /** Each row's place in `rows`, by its id. */
  places: ReadonlyMap<string, number>;
  filter: ReviewFilter;
  /** The ids of the rows that the filter showed when it was chosen: an edit doesn't make its row disappear. */
  shown: readonly string[];
  selected: ReadonlySet<string>;
  /** Where a range starts, and where it ended last. */
  range: { from: string; to: string } | null;
  /** The rows before each of the latest changes; the latest last. */
  past: readonly (readonly ReviewRow[])[];
  /** What the latest change did. `count` tells equal texts apart. */
  status: { text: string; count: number };
}

export type ReviewAction =
  /** One step for undo, whatever it changes. */
  | { type: 'edit'; ids: Iterable<string>; changes: readonly RowChange[] }
  | { type: 'undo' }
  | { type: 'filter'; filter: ReviewFilter }
  | { type: 'toggle'; id: string }
  /** Selects everything from the row that was selected last, or this row if there's none. */
  | { type: 'extend'; id: string }
  | { type: 'select_all' }
  | { type: 'clear' };

const MAX_UNDO = 100;

const idsOf = (rows: readonly ReviewRow[]) => rows.map(({ id }) => id);

/** Starts a review. @param edits what the person changed on an earlier visit */
export function startReview(
  originals: readonly ReviewRow[],
  edits: ReadonlyMap<string, RowEdit> = new Map(),
): ReviewState {
  const rows = applyEdits(originals, edits);
  return {
    rows,
    originals,
    places: new Map(originals.map(({ id }, index) => [id, index])),
    filter: 'all',
    shown: idsOf(rows.filter((row) => matchesFilter(row, 'all'))),
    selected: new Set(),
    range: null,
    past: [],
    status: { text: '', count: 0 },
  };
}

/** Returns what the person changed, by the ids of the rows. */
export function editsOf({ rows, originals }: ReviewState): ReadonlyMap<string, RowEdit> {
  const edits = new Map<string, RowEdit>();
  rows.forEach((row, index) => {
    const original = originals[index];
    const edit = original ? editOf(original, row) : {};
    if (Object.keys(edit).length > 0) edits.set(row.id, edit);
  });
  return edits;
}

/** Returns the row with an id; undefined if there's none. */
export const rowOf = ({ rows, places }: ReviewState, id: string): ReviewRow | undefined =>
  rows[places.get(id) ?? -1];

/** Returns the selected rows in their order. */
export const selectedRows = ({ rows, selected }: ReviewState): ReviewRow[] =>
  rows.filter(({ id }) => selected.has(id));

const announce = (state: ReviewState, text: string): ReviewState => ({
  ...state,
  status: { text, count: state.status.count + 1 },
});

function edit(state: ReviewState, ids: Iterable<string>, changes: readonly RowChange[]): ReviewState {
  const rows = [...state.rows];
  let changed = 0;
  for (const id of ids) {
    const place = state.places.get(id) ?? -1;
    const row = rows[place];
    const next = row && changes.reduce(changeRow, row);
    if (!next || next === row) continue;
    rows[place] = next;
    changed += 1;
  }
  const [only] = changes.length === 1 ? changes : [];
  if (changed === 0) return announce(state, 'Nothing changed.');
  const text = only ? describeChange(only, changed) : 'Changes saved.';
  return announce({ ...state, rows, past: [...state.past, state.rows].slice(-MAX_UNDO) }, text);
}

function undo(state: ReviewState): ReviewState {
  const rows = state.past.at(-1);
  if (!rows) return announce(state, 'There’s nothing to undo.');
  return announce({ ...state, rows, past: state.past.slice(0, -1) }, 'Change undone.');
}

function filterRows(state: ReviewState, filter: ReviewFilter): ReviewState {
  const shown = idsOf(state.rows.filter((row) => matchesFilter(row, filter)));
  const visible = new Set(shown);
  // A change to rows that nobody sees would be a surprise.
  const selected = new Set([...state.selected].filter((id) => visible.has(id)));
  return { ...state, filter, shown, selected, range: null };
}

function toggle(state: ReviewState, id: string): ReviewState {
  const selected = new Set(state.selected);
  if (!selected.delete(id)) selected.add(id);
  return { ...state, selected, range: { from: id, to: id } };
}

function between(shown: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [shown.indexOf(from), shown.indexOf(to)];
  return start < 0 || end < 0 ? [to] : shown.slice(Math.min(start, end), Math.max(start, end) + 1);
}

function extend(state: ReviewState, id: string): ReviewState {
  const { from, to } = state.range ?? { from: id, to: id };
  const selected = new Set(state.selected);
  for (const one of between(state.shown, from, to)) selected.delete(one);
  for (const one of between(state.shown, from, id)) selected.add(one);
  return { ...state, selected, range: { from, to: id } };
}

/** Returns the state after an action. */
export function reviewReducer(state: ReviewState, action: ReviewAction): ReviewState {
  switch (action.type) {
    case 'edit':
      return edit(state, action.ids, action.changes);
    case 'undo':
      return undo(state);
    case 'filter':
      return filterRows(state, action.filter);
    case 'toggle':
      return toggle(state, action.id);
    case 'extend':
      return extend(state, action.id);
    case 'select_all':
      return announce(
        { ...state, selected: new Set(state.shown), range: null },
        `${countClips(state.shown.length)} selected.`,
      );
    case 'clear':
      return announce({ ...state, selected: new Set(), range: null }, 'Nothing selected.');
  }
}
