import type { EntrySummary } from '@/lib/journal/entries/contract';
import { MAX_SELECTED } from '@/lib/journal/entries/shared/selection';

/** What actions need to know of a selected entry. */
export type SelectedEntry = Pick<EntrySummary, 'id' | 'date' | 'tags'>;

export interface SelectionState {
  /** Whether entries are being selected, even if there are none yet. */
  isActive: boolean;
  /** By id. */
  picked: ReadonlyMap<string, SelectedEntry>;
  /** The last entry that was selected by itself, where a range starts. */
  anchor: string | null;
}

export const NO_SELECTION: SelectionState = { isActive: false, picked: new Map(), anchor: null };

/** Selects more entries. Returns null if there would be more than an action takes. */
export function addEntries(
  { picked, anchor }: SelectionState,
  entries: readonly SelectedEntry[],
  newAnchor = anchor,
): SelectionState | null {
  const next = new Map([...picked, ...entries.map((entry) => [entry.id, entry] as const)]);
  return next.size > MAX_SELECTED ? null : { isActive: true, picked: next, anchor: newAnchor };
}

/** Selects an entry, or deselects it. Returns null if there would be more than an action takes. */
export function toggleEntry(state: SelectionState, entry: SelectedEntry): SelectionState | null {
  if (!state.picked.has(entry.id)) return addEntries(state, [entry], entry.id);
  const picked = new Map(state.picked);
  picked.delete(entry.id);
  return { isActive: true, picked, anchor: entry.id };
}

/** Deselects entries that are gone, and ends the selection when nothing is left of it. */
export function dropEntries(
  { isActive, picked, anchor }: SelectionState,
  ids: readonly string[],
): SelectionState {
  const left = new Map([...picked].filter(([id]) => !ids.includes(id)));
  if (left.size === 0) return NO_SELECTION;
  return { isActive, picked: left, anchor: anchor !== null && ids.includes(anchor) ? null : anchor };
}
