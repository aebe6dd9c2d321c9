/** The grid's columns, in their order. */
export const COLUMNS = ['select', 'title', 'date', 'tags', 'length', 'status'] as const;
export type Column = (typeof COLUMNS)[number];

/** The columns whose cells can be edited in place. */
export type EditableColumn = 'title' | 'date' | 'tags';

export const isEditable = (column: Column | undefined): column is EditableColumn =>
  column === 'title' || column === 'date' || column === 'tags';

/** A cell, by its row and its column, which both count from 0. */
export interface GridCell {
  row: number;
  column: number;
}

export type GridCommand =
  | { type: 'move'; to: GridCell; isRange: boolean }
  /** `typed` is the character that started it. */
  | { type: 'edit'; typed: string | null }
  | { type: 'toggle' | 'select_all' | 'clear' | 'leave_out' | 'open' };

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns where a key moves; undefined if it doesn't. */
function findTarget(
  { key, ctrlKey, metaKey }: KeyPress,
  { row, column }: GridCell,
  page: number,
): GridCell | undefined {
  const [end, bottom] = [COLUMNS.length - 1, Number.POSITIVE_INFINITY];
  if (ctrlKey || metaKey) {
    return { Home: { row: 0, column: 0 }, End: { row: bottom, column: end } }[key];
  }
  return {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
    Home: { row, column: 0 },
    End: { row, column: end },
  }[key];
}

/** Returns the cell itself if it's in a grid of `rows` rows, or else the nearest that is. */
const clampCell = ({ row, column }: GridCell, rows: number): GridCell => ({
  row: Math.max(0, Math.min(row, rows - 1)),
  column: Math.max(0, Math.min(column, COLUMNS.length - 1)),
});

const startsEditing = (column: Column | undefined, key: string) =>
  key.length === 1 && (column === 'title' || column === 'tags' || (column === 'date' && /[\d/]/.test(key)));

function readPlainKey({ key }: KeyPress, column: Column | undefined): GridCommand | null {
  switch (key) {
    case ' ':
      return { type: 'toggle' };
    case 'Enter':
    case 'F2':
      if (isEditable(column)) return { type: 'edit', typed: null };
      return column === 'select' ? { type: 'toggle' } : { type: 'open' };
    case 'Delete':
    case 'Backspace':
      return { type: 'leave_out' };
    case 'Escape':
      return { type: 'clear' };
  }
  if (startsEditing(column, key)) return { type: 'edit', typed: key };
  return key.toLowerCase() === 'p' ? { type: 'open' } : null;
}

/**
 * Returns what a key does in the grid, by the ARIA grid pattern; null if nothing.
 * @param page how many rows PageUp and PageDown move
 */
export function readGridKey(press: KeyPress, at: GridCell, rows: number, page: number): GridCommand | null {
  if (press.altKey) return null;
  const target = findTarget(press, at, page);
  if (target) {
    const to = clampCell(target, rows);
    return { type: 'move', to, isRange: press.shiftKey && target.row !== at.row };
  }
  if (!press.ctrlKey && !press.metaKey) return readPlainKey(press, COLUMNS[at.column]);
  return press.key.toLowerCase() === 'a' ? { type: 'select_all' } : null;
}

/** Where to go on from an edited cell; null to stay. */
export type EditorMove = 'up' | 'down' | 'left' | 'right' | null;

/** Returns where Enter or Tab goes on, with or without Shift; null for other keys. */
export function readEditorMove({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): EditorMove {
  if (key === 'Enter') return shiftKey ? 'up' : 'down';
  if (key === 'Tab') return shiftKey ? 'left' : 'right';
  return null;
}

const STEPS: Record<NonNullable<EditorMove>, GridCell> = {
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
};

/** Returns the cell where to go on after editing one. */
export function leaveCell({ row, column }: GridCell, move: EditorMove, rows: number): GridCell {
  const step = move ? STEPS[move] : { row: 0, column: 0 };
  return clampCell({ row: row + step.row, column: column + step.column }, rows);
}
