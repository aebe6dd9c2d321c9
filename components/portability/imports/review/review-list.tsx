import { Undo2 } from 'lucide';
import { type Dispatch, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ClipPreview } from '@/components/portability/imports/clips/clip-preview';
import type { Clip } from '@/components/portability/imports/sources/read-clips';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { EDITABLE_SELECTOR } from '@/components/ui/use-keyboard-shortcuts';
import { useMediaQuery } from '@/components/ui/use-media-query';
import { BulkBar } from './bulk-bar';
import { ClipCards } from './clip-cards';
import { EditDialog } from './edit-dialog';
import { countByFilter } from './review-filters';
import { type ReviewAction, type ReviewState, rowOf } from './review-state';
import { collectTags, indexTags, type KnownTag } from './review-tags';

/** Tailwind's `sm`: below, the clips are a list of cards. */
const WIDE_QUERY = '(min-width: 640px)';

/** Undoes with Ctrl+Z or ⌘Z anywhere on the page, except in text fields and dialogs. */
function useUndoKey(onUndo: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = keyOf(event) === 'z' && (event.ctrlKey || event.metaKey);
    if (!isUndo || event.shiftKey || event.altKey || event.defaultPrevented) return;
    const focused = event.target instanceof Element ? event.target : document.body;
    if (focused.closest(EDITABLE_SELECTOR) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    onUndo();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Chooses which rows are shown. A filter that would show none isn't offered. */
function Filters({ state, dispatch }: { state: ReviewState; dispatch: Dispatch<ReviewAction> }) {
  const filters = useMemo(() => countByFilter(state.rows), [state.rows]);
  const shown = filters.filter(
    ({ filter, count }) => filter === 'all' || filter === state.filter || count > 0,
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons aren't the fields of a form
    <div role="group" aria-label="Clips to show" className="flex flex-wrap gap-2">
      {shown.map(({ filter, label, count }) => (
        <button
          key={filter}
          type="button"
          aria-pressed={filter === state.filter}
          onClick={() => dispatch({ type: 'filter', filter })}
          className="min-h-11 rounded-pill border border-line-strong px-3.5 text-14 font-semibold hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          {label} <span className="font-normal tabular-nums">{count.toLocaleString('en-US')}</span>
        </button>
      ))}
    </div>
  );
}

/**
 * Shows the clips of an import as cards, and lets people fix dates, titles, and tags. It scrolls with the page.
 * @param knownTags the account's tags; the same array until they change
 * @param clips by their ids; the same map every time
 */
export function ReviewList({
  state,
  dispatch,
  knownTags: known,
  clips,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
  knownTags: readonly KnownTag[];
  clips: ReadonlyMap<string, Clip>;
}) {
  const isWide = useMediaQuery(WIDE_QUERY);
  const section = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<{ id: string; isOpen: boolean } | null>(null);
  const openClip = useCallback((id: string) => setOpened({ id, isOpen: true }), []);
  const knownTags = useMemo(() => indexTags(known), [known]);
  const allTags = useMemo(() => collectTags(knownTags, state.rows), [knownTags, state.rows]);
  const openRow = opened && rowOf(state, opened.id);
  const openedClip = opened && clips.get(opened.id);
  const { text, count } = state.status;
  const shared = { state, dispatch, isWide, knownTags };

  const undo = () => dispatch({ type: 'undo' });
  useUndoKey(undo);

  function clear() {
    dispatch({ type: 'clear' });
    section.current?.querySelector<HTMLElement>('li input[tabindex="0"]')?.focus();
  }

  return (
    <section ref={section} aria-label="Clips to import" className="flex flex-col gap-3">
      <Filters state={state} dispatch={dispatch} />
      <div className="flex min-h-11 flex-wrap items-center gap-x-4">
        <Button
          variant="ghost"
          size="sm"
          aria-disabled={state.past.length === 0 || undefined}
          onClick={undo}
          className="aria-disabled:text-ink-3"
        >
          <Icon of={Undo2} className="size-4.5" aria-hidden="true" />
          Undo
        </Button>
        {/* The space makes an equal text a new one, which is announced again. */}
        <p role="status" className="grow text-14 text-ink-2">
          {count % 2 === 1 ? `${text}\u00a0` : text}
        </p>
      </div>
      {state.shown.length === 0 ? (
        <p className="text-15 text-ink-2">No clips here.</p>
      ) : (
        <ClipCards {...shared} clips={clips} onOpen={openClip} />
      )}
      {state.selected.size > 0 && <BulkBar {...shared} allTags={allTags} onClear={clear} />}
      {openRow && (
        <EditDialog
          key={opened.id}
          open={opened.isOpen}
          row={openRow}
          preview={openedClip && <ClipPreview clip={openedClip} />}
          knownTags={knownTags}
          allTags={allTags}
          dispatch={dispatch}
          onClose={() => setOpened({ ...opened, isOpen: false })}
        />
      )}
    </section>
  );
}
