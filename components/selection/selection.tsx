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
import type { EntrySummary } from '@/lib/entries/contract';

/** What actions need to know of a selected entry. */
export type SelectedEntry = Pick<EntrySummary, 'id' | 'date' | 'tags'>;

interface Selection {
  /** Whether entries are being selected, even if there are none yet. */
  isActive: boolean;
  /** By id. */
  picked: ReadonlyMap<string, SelectedEntry>;
  /** The last entry that was selected by itself, where a range starts. */
  anchor: string | null;
  start: () => void;
  end: () => void;
  toggle: (entry: SelectedEntry) => void;
  /** Selects entries, the last of which is the new anchor. */
  add: (entries: readonly SelectedEntry[], anchor?: string) => void;
}

const SelectionContext = createContext<Selection | null>(null);

/** Returns the gallery's selection. */
export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error('useSelection needs a SelectionProvider');
  return selection;
}

interface State {
  isActive: boolean;
  picked: ReadonlyMap<string, SelectedEntry>;
  anchor: string | null;
}

const NOTHING: State = { isActive: false, picked: new Map(), anchor: null };

/** The button that starts selecting, which gets the focus when an action has ended the selection. */
export const SELECT_BUTTON_ID = 'select-entries';

/** Holds the selection while someone goes through the pages of the gallery. Escape ends it. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState(NOTHING);
  const actions = useMemo(
    () => ({
      start: () => setState((before) => ({ ...before, isActive: true })),
      end: () => setState(NOTHING),
      toggle: (entry: SelectedEntry) =>
        setState(({ picked }) => {
          const next = new Map(picked);
          if (!next.delete(entry.id)) next.set(entry.id, entry);
          return { isActive: true, picked: next, anchor: entry.id };
        }),
      add: (entries: readonly SelectedEntry[], anchor?: string) =>
        setState((before) => ({
          isActive: true,
          picked: new Map([...before.picked, ...entries.map((entry) => [entry.id, entry] as const)]),
          anchor: anchor ?? before.anchor,
        })),
    }),
    [],
  );

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
