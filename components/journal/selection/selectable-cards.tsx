'use client';

import { type MouseEvent, useEffect, useEffectEvent } from 'react';
import { ENTRY_GRID, EntryCard, FIRST_ROW } from '@/components/journal/entries/entry-card';
import { apiFilter, type GalleryQuery } from '@/components/journal/entries/gallery-href';
import { keyOf } from '@/components/ui/key-of';
import { showError } from '@/components/ui/show-error';
import { useHydrated } from '@/components/ui/use-hydrated';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { useSelection } from './selection';
import { useLongPress } from './use-long-press';

/** A card with a checkbox. While entries are being selected, pressing the card selects it instead of opening it. */
function SelectableCard({
  entry,
  isInView,
  onSelect,
}: {
  entry: EntrySummary;
  isInView: boolean;
  onSelect: (entry: EntrySummary, isRange: boolean) => void;
}) {
  const { isActive, picked } = useSelection();
  const isHydrated = useHydrated();
  const longPress = useLongPress(() => onSelect(entry, false));

  function click(event: MouseEvent) {
    if (longPress.consumeClick()) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const isCheckbox = event.target instanceof HTMLInputElement;
    if (isCheckbox || !(isActive || event.shiftKey) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(entry, event.shiftKey);
  }

  return (
    <div
      {...longPress.handlers}
      onClickCapture={click}
      data-picked={picked.has(entry.id) || undefined}
      className={`min-w-0 [-webkit-touch-callout:none] ${isActive ? 'select-none' : 'pointer-coarse:select-none'}`}
    >
      <EntryCard entry={entry} dateFormat="iso" isInView={isInView} morphs>
        {isHydrated && (
          <label
            className={`absolute top-1 left-1 z-10 grid size-11 cursor-pointer place-items-center rounded-8 transition-opacity duration-120 ${isActive ? '' : 'opacity-0 group-hover:opacity-100 focus-within:opacity-100 [@media(hover:none)]:pointer-events-none'}`}
          >
            <span className="sr-only">Select {entry.title}</span>
            <input
              type="checkbox"
              checked={picked.has(entry.id)}
              onChange={({ nativeEvent }) =>
                onSelect(entry, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
              className="size-6 cursor-pointer accent-accent shadow-md"
            />
          </label>
        )}
      </EntryCard>
    </div>
  );
}

const EDITABLE = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role="dialog"]';

/** The gallery's cards, which can be selected: one by one, in ranges with the Shift key, or all with Ctrl+A or ⌘A. */
export function SelectableCards({ entries, query }: { entries: EntrySummary[]; query: GalleryQuery }) {
  const { isActive, anchor, toggle, add } = useSelection();

  const press = useEffectEvent((event: KeyboardEvent) => {
    const isSelectAll = keyOf(event) === 'a' && (event.ctrlKey || event.metaKey);
    const focused = event.target instanceof Element ? event.target : document.body;
    if (!isActive || !isSelectAll || event.defaultPrevented || focused.closest(EDITABLE)) return;
    event.preventDefault();
    add(entries);
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  /** Selects everything from the anchor to an entry, which may be pages away. */
  async function extendTo(entry: EntrySummary, from: string) {
    const [start, end] = [from, entry.id].map((id) => entries.findIndex((one) => one.id === id));
    if (start !== undefined && end !== undefined && start >= 0) {
      return add(entries.slice(Math.min(start, end), Math.max(start, end) + 1), entry.id);
    }
    try {
      const range = { from, to: entry.id, ...apiFilter(query) };
      add(await call('GET /bulk/entries/range', { query: range }), entry.id);
    } catch (error) {
      // The filters leave the anchor out.
      if (error instanceof ApiError && error.code === 'not_found') add([entry], entry.id);
      else showError(error);
    }
  }

  return (
    <div className={ENTRY_GRID}>
      {entries.map((entry, index) => (
        <SelectableCard
          key={entry.id}
          entry={entry}
          isInView={index < FIRST_ROW}
          onSelect={(one, isRange) => {
            if (isRange && anchor !== null) void extendTo(one, anchor);
            else toggle(one);
          }}
        />
      ))}
    </div>
  );
}
