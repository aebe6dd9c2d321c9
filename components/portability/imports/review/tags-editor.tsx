import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { TagFields } from '@/components/journal/tags/tag-fields';
import type { Tag } from '@/lib/journal/tags/contract';
import { type EditorMove, readEditorMove } from './grid-keys';

/** Edits the tags of a cell in a panel above the row. Each tag is saved at once. */
export function TagsEditor({
  label,
  tags,
  all,
  onChange,
  onClose,
}: {
  label: string;
  tags: readonly Tag[];
  all: readonly Tag[];
  onChange: (names: readonly string[]) => void;
  onClose: (move: EditorMove, hasFocus: boolean) => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const isDone = useRef(false);
  const names = tags.map(({ name }) => name);

  useLayoutEffect(() => {
    panel.current?.querySelector('input')?.focus({ preventScroll: true });
    // The list of tags opens below.
    panel.current?.closest('[role=row]')?.scrollIntoView({ block: 'nearest' });
  }, []);

  /** Ends editing once: a removed panel loses the focus, too. */
  function end(move: EditorMove, hasFocus: boolean) {
    if (isDone.current) return;
    isDone.current = true;
    onClose(move, hasFocus);
  }

  function press(event: KeyboardEvent) {
    event.stopPropagation();
    if (!(event.target instanceof HTMLElement) || event.nativeEvent.isComposing) return;
    const field = event.target instanceof HTMLInputElement ? event.target : null;
    // The list of suggestions closes first, and Enter selects one of them.
    const isListUsed = field?.getAttribute('aria-expanded') === 'true';
    const isTyping = Boolean(field?.value.trim() || field?.getAttribute('aria-activedescendant'));
    if (event.key === 'Escape' && !isListUsed) return end(null, true);
    if (!field || isTyping) return;
    const move = readEditorMove(event);
    // Shift and Tab reach the tags' buttons.
    if (!move || move === 'left') return;
    event.preventDefault();
    end(move, true);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: its control isn't a field of a form
    <div
      ref={panel}
      role="group"
      aria-label={label}
      onKeyDown={press}
      onBlur={({ relatedTarget }) => {
        // Another window may have the focus for a while.
        const isOutside = relatedTarget ? !panel.current?.contains(relatedTarget) : document.hasFocus();
        if (isOutside) end(null, false);
      }}
      className="absolute top-0 left-0 z-20 flex w-80 max-w-[calc(100vw-64px)] flex-wrap items-center gap-2 rounded-12 border border-line bg-surface p-2 shadow-lg"
    >
      <TagFields
        tags={tags}
        all={all}
        onAdd={({ name }) => onChange([...names, name])}
        onCreate={async (name) => {
          onChange([...names, name]);
          return true;
        }}
        onRemove={(tag) => onChange(names.filter((name) => name !== tag.name))}
      />
    </div>
  );
}
