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
import { showProblem } from '@/components/ui/show-error';
import { TOO_MANY_SELECTED } from '@/lib/journal/entries/shared/selection';
import {
  addEntries,
  dropEntries,
  NO_SELECTION,
  type SelectedEntry,
  type SelectionState,
  toggleEntry,
} from './selection-state';

interface Selection extends SelectionState {
  start: () => void;
  end: () => void;
  toggle: (entry: SelectedEntry) => void;
  /** Selects entries, the last of which is the new anchor. */
  add: (entries: readonly SelectedEntry[], anchor?: string) => void;
  /** Deselects entries that are gone. */
  drop: (ids: readonly string[]) => void;
}

const SelectionContext = createContext<Selection | null>(null);

/** Returns the gallery's selection. */
export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error('useSelection needs a SelectionProvider');
  return selection;
}

/** The button that starts selecting, which gets the focus when an action has ended the selection. */
export const SELECT_BUTTON_ID = 'select-entries';

/** Holds the selection while someone goes through the pages of the gallery. Escape ends it. */
export function SelectionProvider({ children }: { children: ReactNode }) {
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
      add: (entries: readonly SelectedEntry[], anchor?: string) =>
        update(addEntries(latest.current, entries, anchor)),
      drop: (ids: readonly string[]) => update(dropEntries(latest.current, ids)),
    };
  }, []);

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !state.isActive) return;
    // Those close first.
    if (document.querySelector('[role="dialog"], :popover-open')) return;
    actions.end();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  const wasActive = useRef(false);
  useEffect(() => {
    const ended = wasActive.current && !state.isActive;
    wasActive.current = state.isActive;
    // What had the focus has gone with the bar.
    if (ended && document.activeElement === document.body) document.getElementById(SELECT_BUTTON_ID)?.focus();
  }, [state.isActive]);

  const selection = useMemo(() => ({ ...state, ...actions }), [state, actions]);
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}
