import { Undo2 } from 'lucide';
import { type Dispatch, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { useMediaQuery } from '@/components/ui/use-media-query';
import { BulkBar } from './bulk-bar';
import { ClipCards } from './clip-cards';
import { EditDialog } from './edit-dialog';
import { countByFilter, FILTER_LABELS, REVIEW_FILTERS } from './review-filters';
import { type ReviewAction, type ReviewState, rowOf } from './review-state';
import { collectTags, indexTags, type KnownTag } from './review-tags';
import { useUndoKey } from './use-undo-key';

/** Tailwind's `sm`: below, the clips are a list of cards. */
const WIDE_QUERY = '(min-width: 640px)';

/** Chooses which rows are shown. A filter that would show none isn't offered. */
function Filters({ state, dispatch }: { state: ReviewState; dispatch: Dispatch<ReviewAction> }) {
  const counts = useMemo(() => countByFilter(state.rows), [state.rows]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons aren't the fields of a form
    <div role="group" aria-label="Clips to show" className="flex flex-wrap gap-2">
      {REVIEW_FILTERS.filter(
        (filter) => filter === 'all' || filter === state.filter || counts[filter] > 0,
      ).map((filter) => (
        <button
          key={filter}
          type="button"
          aria-pressed={filter === state.filter}
          onClick={() => dispatch({ type: 'filter', filter })}
          className="min-h-11 rounded-pill border border-line-strong px-3.5 text-14 font-semibold hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          {FILTER_LABELS[filter]}{' '}
          <span className="font-normal tabular-nums">{counts[filter].toLocaleString('en-US')}</span>
        </button>
      ))}
    </div>
  );
}

/**
 * Shows the clips of an import as cards, and lets people fix dates, titles, and tags. It scrolls with the page.
 * @param state from `useReview`, as is `dispatch`
 * @param knownTags the account's tags; the same array until they change
 * @param picture renders a clip's picture; the same function every time
 * @param preview renders a clip in the dialog that edits it
 */
export function ReviewList({
  state,
  dispatch,
  knownTags: known,
  picture,
  preview,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
  knownTags: readonly KnownTag[];
  picture: (id: string) => ReactNode;
  preview: (id: string) => ReactNode;
}) {
  const isWide = useMediaQuery(WIDE_QUERY);
  const section = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<{ id: string; isOpen: boolean } | null>(null);
  const openClip = useCallback((id: string) => setOpened({ id, isOpen: true }), []);
  const knownTags = useMemo(() => indexTags(known), [known]);
  const allTags = useMemo(() => collectTags(knownTags, state.rows), [knownTags, state.rows]);
  const openRow = opened && rowOf(state, opened.id);
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
          {text}
          {count % 2 === 1 && '\u00a0'}
        </p>
      </div>
      {state.shown.length === 0 ? (
        <p className="text-15 text-ink-2">No clips here.</p>
      ) : (
        <ClipCards {...shared} picture={picture} onOpen={openClip} />
      )}
      {state.selected.size > 0 && <BulkBar {...shared} allTags={allTags} onClear={clear} />}
      {openRow && (
        <EditDialog
          key={opened.id}
          open={opened.isOpen}
          row={openRow}
          preview={preview}
          knownTags={knownTags}
          allTags={allTags}
          dispatch={dispatch}
          onClose={() => setOpened({ ...opened, isOpen: false })}
        />
      )}
    </section>
  );
}
