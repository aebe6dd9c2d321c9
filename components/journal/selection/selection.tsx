'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { keyOf } from '@/components/ui/key-of';
import { showProblem } from '@/components/ui/show-error';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { MAX_SELECTED, TOO_MANY_SELECTED } from '@/lib/journal/entries/shared/selection';

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

type Selection = ReturnType<typeof useSelectionState>;

const SelectionContext = createContext<Selection | null>(null);

/** Returns the gallery's selection. */
export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error('useSelection needs a SelectionProvider');
  return selection;
}

/** The button that starts selecting, which gets the focus when an action has ended the selection. */
const SELECT_BUTTON_ID = 'select-entries';

function useSelectionState() {
  const [state, setState] = useState(NO_SELECTION);
  /** The state, also before it has been rendered: a range that was asked for may arrive at any time. */
  const latest = useRef(NO_SELECTION);
  const actions = useMemo(() => {
    function update(next: SelectionState | null) {
      if (!next) return showProblem(TOO_MANY_SELECTED);
      latest.current = next;
      setState(next);
    }
    return {
      start: () => update({ ...latest.current, isActive: true }),
      end: () => update(NO_SELECTION),
      toggle: (entry: SelectedEntry) => update(toggleEntry(latest.current, entry)),
      /** Selects entries, the last of which is the new anchor. */
      add: (entries: readonly SelectedEntry[], anchor?: string) =>
        update(addEntries(latest.current, entries, anchor)),
      /** Deselects entries that are gone. */
      drop: (ids: readonly string[]) => update(dropEntries(latest.current, ids)),
    };
  }, []);
  return useMemo(() => ({ ...state, ...actions }), [state, actions]);
}

/** Holds the selection while someone goes through the pages of the gallery. Escape ends it. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const selection = useSelectionState();
  const { isActive, end } = selection;

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (keyOf(event) !== 'Escape' || event.defaultPrevented || !isActive) return;
    // Those close first.
    if (document.querySelector('[role="dialog"], :popover-open')) return;
    end();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  const wasActive = useRef(false);
  useEffect(() => {
    const ended = wasActive.current && !isActive;
    wasActive.current = isActive;
    // What had the focus has gone with the bar.
    if (ended && document.activeElement === document.body) document.getElementById(SELECT_BUTTON_ID)?.focus();
  }, [isActive]);

  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/** Starts and ends selecting entries. */
export function SelectButton() {
  const { isActive, start, end } = useSelection();
  return (
    <button
      id={SELECT_BUTTON_ID}
      type="button"
      onClick={isActive ? end : start}
      className="inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken"
    >
      {isActive ? 'Cancel' : 'Select'}
    </button>
  );
}
