// biome-ignore-all lint/a11y/useSemanticElements: the rows are positioned one by one, which those of a table can’t be

import {
  type Dispatch,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Tag } from '@/lib/journal/tags/contract';
import { ClipGridRow, GRID_COLUMNS, ROW_HEIGHT } from './clip-grid-row';
import {
  COLUMNS,
  type Column,
  type EditableColumn,
  type EditorMove,
  type GridCell,
  type GridCommand,
  isEditable,
  leaveCell,
  readGridKey,
} from './grid-keys';
import { type ReviewAction, type ReviewState, rowOf } from './review-state';
import { SelectAll } from './select-all';
import { useWindowRows } from './use-window-rows';

/** The cell that's the grid's tab stop. */
interface ActiveCell {
  id: string | undefined;
  column: number;
  /** Whether it gets the focus; it has it already if a press put it there. */
  isFocusWanted: boolean;
}

const HEADINGS: Record<Exclude<Column, 'select'>, string> = {
  title: 'Title',
  date: 'Date',
  tags: 'Tags',
  length: 'Length',
  status: 'Status',
};

/** The parts of the window, in pixels, that the bars at its top and bottom cover. */
const COVERED = 260;

/** Finds the cell that an event is in. */
function findCell(target: EventTarget): { index: number; column: Column | undefined } | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest<HTMLElement>('[data-index]');
  const name = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
  return row
    ? { index: Number(row.dataset['index']), column: COLUMNS.find((column) => column === name) }
    : null;
}

/**
 * The clips as an ARIA grid with one tab stop, which scrolls with the page. Only the rows near the window are rendered, and
 * the one with the focus.
 */
export function ClipGrid({
  state,
  dispatch,
  knownTags,
  allTags,
  hintId,
  onOpen,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
  knownTags: ReadonlyMap<string, Tag>;
  allTags: readonly Tag[];
  /** The id of the text that explains the keys. */
  hintId: string;
  /** The same function every time. */
  onOpen: (id: string) => void;
}) {
  const { shown, selected } = state;
  const [active, setActive] = useState<ActiveCell>({ id: undefined, column: 1, isFocusWanted: false });
  const [editing, setEditing] = useState<{ id: string; column: EditableColumn; typed: string | null } | null>(
    null,
  );
  const indexOf = useMemo(() => new Map(shown.map((id, index) => [id, index] as const)), [shown]);
  const at: GridCell = { row: indexOf.get(active.id ?? '') ?? 0, column: active.column };
  const { list, indexes } = useWindowRows<HTMLDivElement>(shown.length, ROW_HEIGHT, at.row);
  const grid = useRef<HTMLDivElement>(null);

  const focusCell = useEffectEvent(() => {
    const row = grid.current?.querySelector(`[data-index="${at.row}"]`);
    const cell = row?.querySelector<HTMLElement>(`[data-column="${COLUMNS[at.column]}"]`);
    (cell?.querySelector<HTMLElement>('[data-focus]') ?? cell)?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  });
  useLayoutEffect(() => {
    if (active.isFocusWanted) focusCell();
  }, [active]);

  const goTo = ({ row, column }: GridCell) => setActive({ id: shown[row], column, isFocusWanted: true });

  function endEditing(move: EditorMove, hasFocus: boolean) {
    setEditing(null);
    if (hasFocus) goTo(leaveCell(at, move, shown.length));
  }

  function startEditing(id: string, column: Column | undefined, typed: string | null) {
    if (!isEditable(column)) return;
    // The editor has the focus before the browser inserts the character, which is for the field for tags.
    flushSync(() => setEditing({ id, column, typed }));
  }

  function run(command: GridCommand, id: string) {
    switch (command.type) {
      case 'move': {
        const to = shown[command.to.row];
        if (command.isRange && to !== undefined) dispatch({ type: 'extend', id: to, from: id });
        return goTo(command.to);
      }
      case 'edit':
        return startEditing(id, COLUMNS[at.column], command.typed);
      case 'toggle':
        return dispatch({ type: 'toggle', id });
      case 'leave_out': {
        const ids = selected.has(id) ? selected : [id];
        return dispatch({ type: 'edit', ids, changes: [{ kind: 'include', isIncluded: false }] });
      }
      case 'open':
        return onOpen(id);
      default:
        return dispatch({ type: command.type });
    }
  }

  function press(event: KeyboardEvent) {
    const id = shown[at.row];
    if (id === undefined || event.defaultPrevented || !findCell(event.target)) return;
    // The checkbox has this key.
    if (event.key === ' ' && event.target instanceof HTMLInputElement) return;
    const page = Math.max(1, Math.floor((window.innerHeight - COVERED) / ROW_HEIGHT));
    const command = readGridKey(event, at, shown.length, page);
    if (!command || (command.type === 'clear' && selected.size === 0)) return;
    const isForTagField = command.type === 'edit' && COLUMNS[at.column] === 'tags' && command.typed !== null;
    if (!isForTagField) event.preventDefault();
    run(command, id);
  }

  function click(event: MouseEvent) {
    const cell = findCell(event.target);
    const id = cell && shown[cell.index];
    // Checkboxes and buttons do what they do.
    if (!id || (event.target as Element).closest('input, button, label, [role=group]')) return;
    if (event.shiftKey) {
      dispatch({ type: 'extend', id, from: shown[at.row] });
      goTo({ row: cell.index, column: cell.column ? COLUMNS.indexOf(cell.column) : at.column });
    } else if (event.ctrlKey || event.metaKey) dispatch({ type: 'toggle', id });
  }

  function doubleClick({ target }: MouseEvent) {
    const cell = findCell(target);
    const id = cell && shown[cell.index];
    if (id && !(target as Element).closest('input, button, label, [role=group]')) {
      startEditing(id, cell.column, null);
    }
  }

  /** Makes a cell that was pressed the tab stop. */
  function followFocus({ target }: FocusEvent) {
    const cell = findCell(target);
    if (!cell?.column) return;
    const column = COLUMNS.indexOf(cell.column);
    if (cell.index === at.row && column === at.column) return;
    setActive({ id: shown[cell.index], column, isFocusWanted: false });
  }

  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Clips"
      aria-describedby={hintId}
      aria-multiselectable="true"
      aria-rowcount={shown.length + 1}
      aria-colcount={COLUMNS.length}
      onKeyDown={press}
      onKeyUp={(event) => {
        // Space selects the row. Some browsers would press the button now.
        const isButton = event.target instanceof HTMLButtonElement && 'focus' in event.target.dataset;
        if (event.key === ' ' && isButton) event.preventDefault();
      }}
      onClick={click}
      onDoubleClick={doubleClick}
      onMouseDown={(event) => {
        // It would select text.
        if (event.shiftKey && event.target instanceof HTMLElement && !event.target.closest('input')) {
          event.preventDefault();
        }
      }}
      onFocus={followFocus}
    >
      <div role="rowgroup" className="sticky top-16 z-20 border-b border-line-strong bg-canvas">
        {/* biome-ignore lint/a11y/useFocusableInteractive: only rows of clips get the focus */}
        <div role="row" aria-rowindex={1} className={`${GRID_COLUMNS} text-13 font-semibold text-ink-2`}>
          {COLUMNS.map((column, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: it can't be sorted
            <div
              key={column}
              role="columnheader"
              aria-colindex={index + 1}
              className={`flex min-h-11 items-center ${column === 'select' ? '' : 'px-2'}`}
            >
              {column === 'select' ? <SelectAll state={state} dispatch={dispatch} /> : HEADINGS[column]}
            </div>
          ))}
        </div>
      </div>
      <div ref={list} role="rowgroup" className="relative" style={{ height: shown.length * ROW_HEIGHT }}>
        {indexes.map((index) => {
          const row = rowOf(state, shown[index] ?? '');
          if (!row) return null;
          return (
            <ClipGridRow
              key={row.id}
              row={row}
              index={index}
              isSelected={selected.has(row.id)}
              active={index === at.row ? (COLUMNS[at.column] ?? null) : null}
              editor={editing?.id === row.id ? { ...editing, allTags, onEnd: endEditing } : null}
              knownTags={knownTags}
              dispatch={dispatch}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}
