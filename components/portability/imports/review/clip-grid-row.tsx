// biome-ignore-all lint/a11y/useSemanticElements: the rows are positioned one by one, which those of a table can’t be

import { Flag, Play } from 'lucide';
import { type Dispatch, memo, type ReactNode } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Icon } from '@/components/ui/icon';
import { TagDot } from '@/components/ui/tag-dot';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { Tag } from '@/lib/journal/tags/contract';
import { CellEditor } from './cell-editor';
import { describeSource, describeStatus, STATUS_COLORS } from './describe-row';
import { COLUMNS, type Column, type EditableColumn, type EditorMove } from './grid-keys';
import { checkDate, checkTitle, MAX_TITLE, type ReviewRow } from './review-row';
import type { ReviewAction } from './review-state';
import { asTags } from './review-tags';
import { TagsEditor } from './tags-editor';

/** The height of a row in pixels; `h-16`. */
export const ROW_HEIGHT = 64;

/** The columns' widths, which the header shares. */
export const GRID_COLUMNS =
  'grid grid-cols-[44px_minmax(0,2.2fr)_144px_minmax(0,1.3fr)_84px_minmax(0,1.6fr)]';

/** What a row needs while one of its cells is edited. */
interface RowEditor {
  column: EditableColumn;
  /** The character that started editing; null if it was another key. */
  typed: string | null;
  allTags: readonly Tag[];
  /** Ends editing. @param hasFocus whether the grid should have the focus */
  onEnd: (move: EditorMove, hasFocus: boolean) => void;
}

interface CellProps {
  column: Column;
  active: Column | null;
  /** Whether a control in it is the tab stop in its place. */
  hasControl?: boolean;
  isReadOnly?: boolean;
  className?: string;
  children: ReactNode;
}

function Cell({ column, active, hasControl, isReadOnly, className = '', children }: CellProps) {
  return (
    <div
      role="gridcell"
      aria-colindex={COLUMNS.indexOf(column) + 1}
      aria-readonly={isReadOnly || undefined}
      data-column={column}
      tabIndex={!hasControl && active === column ? 0 : -1}
      className={`relative flex min-w-0 flex-col justify-center rounded-8 px-2 focus:outline-3 focus:-outline-offset-3 focus:outline-focus ${className}`}
    >
      {children}
    </div>
  );
}

interface RowProps {
  row: ReviewRow;
  /** Its place among the rows that are shown. */
  index: number;
  isSelected: boolean;
  /** The column of the grid's tab stop, if it's in this row. */
  active: Column | null;
  editor: RowEditor | null;
  knownTags: ReadonlyMap<string, Tag>;
  dispatch: Dispatch<ReviewAction>;
  onOpen: (id: string) => void;
}

function TitleCell({ row, active, editor, dispatch }: RowProps) {
  return (
    <Cell column="title" active={active}>
      {editor?.column === 'title' ? (
        <CellEditor
          label={`Title of ${row.name}`}
          value={row.title}
          typed={editor.typed}
          maxLength={MAX_TITLE}
          check={checkTitle}
          onSave={(title, move) => {
            if (title !== row.title) {
              dispatch({ type: 'edit', ids: [row.id], changes: [{ kind: 'title', title }] });
            }
            editor.onEnd(move, move !== null);
          }}
          onInvalid={(text) => dispatch({ type: 'announce', text })}
          onCancel={() => editor.onEnd(null, true)}
        />
      ) : (
        <>
          <span className={`truncate text-15 font-semibold ${row.isIncluded ? '' : 'text-ink-3'}`}>
            {row.title || 'No title'}
          </span>
          <span className="truncate text-13 text-ink-3">
            {row.path ? `${row.path}/${row.name}` : row.name}
          </span>
        </>
      )}
    </Cell>
  );
}

function DateCell({ row, active, editor, dispatch }: RowProps) {
  const isUnsure = row.warning !== null || checkDate(row.date) !== null;
  return (
    <Cell column="date" active={active}>
      {editor?.column === 'date' ? (
        <CellEditor
          label={`Date of ${row.title || row.name} (MM/DD/YYYY)`}
          value={row.date}
          typed={editor.typed}
          maxLength={20}
          check={checkDate}
          onSave={(date, move) => {
            if (date !== row.date) {
              dispatch({ type: 'edit', ids: [row.id], changes: [{ kind: 'date', date }] });
            }
            editor.onEnd(move, move !== null);
          }}
          onInvalid={(text) => dispatch({ type: 'announce', text })}
          onCancel={() => editor.onEnd(null, true)}
        />
      ) : (
        <>
          <span
            className={`flex items-center gap-1.5 text-15 tabular-nums ${row.isIncluded ? '' : 'text-ink-3'}`}
          >
            <span className="truncate">{row.date || 'No date'}</span>
            {isUnsure && (
              <>
                <Icon of={Flag} className="size-4 shrink-0 text-warn" aria-hidden="true" />
                <span className="sr-only">Check this date.</span>
              </>
            )}
          </span>
          {row.date && <span className="truncate text-13 text-ink-3">{describeSource(row.source)}</span>}
        </>
      )}
    </Cell>
  );
}

function TagsCell({ row, active, editor, knownTags, dispatch }: RowProps) {
  const tags = asTags(row.tags, knownTags);
  return (
    <Cell column="tags" active={active}>
      <span className="flex max-h-12 flex-wrap items-center gap-x-3 overflow-hidden">
        {tags.map(({ id, name, color }) => (
          <TagDot key={id} name={name} color={color} />
        ))}
      </span>
      {tags.length === 0 && <span className="sr-only">No tags</span>}
      {editor?.column === 'tags' && (
        <TagsEditor
          label={`Tags of ${row.title || row.name}`}
          tags={tags}
          all={editor.allTags}
          onChange={(names) =>
            dispatch({ type: 'edit', ids: [row.id], changes: [{ kind: 'tags', tags: names }] })
          }
          onClose={editor.onEnd}
        />
      )}
    </Cell>
  );
}

/** A clip in the grid. It's rendered again only when it changes, or is selected, focused, or edited. */
export const ClipGridRow = memo(function ClipGridRow(props: RowProps) {
  const { row, index, isSelected, active, editor, dispatch, onOpen } = props;
  const status = describeStatus(row);
  const name = row.title || row.name;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells get the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
      // A panel may be larger than the row that's edited.
      className={`${GRID_COLUMNS} absolute inset-x-0 top-0 h-16 scroll-mt-14 border-b border-line ${editor ? 'z-10 scroll-mb-96' : 'scroll-mb-32 contain-strict'} ${isSelected ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    >
      <Cell column="select" active={active} hasControl isReadOnly className="px-0!">
        <label className="grid size-11 cursor-pointer place-items-center">
          <span className="sr-only">Select {name}</span>
          <input
            type="checkbox"
            data-focus
            tabIndex={active === 'select' ? 0 : -1}
            checked={isSelected}
            onChange={({ nativeEvent }) => {
              const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
              dispatch({ type: isRange ? 'extend' : 'toggle', id: row.id });
            }}
            className="size-5 cursor-pointer accent-accent"
          />
        </label>
      </Cell>
      <TitleCell {...props} />
      <DateCell {...props} />
      <TagsCell {...props} />
      <Cell column="length" active={active} hasControl isReadOnly className="px-0!">
        <button
          type="button"
          data-focus
          tabIndex={active === 'length' ? 0 : -1}
          onClick={() => onOpen(row.id)}
          className="flex min-h-11 flex-col justify-center rounded-8 px-2 text-left text-13 tabular-nums hover:underline focus:-outline-offset-3"
        >
          <span className="sr-only">Preview {name}</span>
          <span className="flex items-center gap-1.5 text-15">
            <Icon of={Play} className="size-3.5 shrink-0 text-ink-2" aria-hidden="true" />
            {row.seconds === null ? '–' : formatDuration(row.seconds)}
          </span>
          <span className="text-ink-3">{formatBytes(row.bytes)}</span>
        </button>
      </Cell>
      <Cell column="status" active={active} isReadOnly>
        {status && (
          <span className={`line-clamp-3 text-13 ${STATUS_COLORS[status.tone]}`} title={status.text}>
            {status.text}
          </span>
        )}
      </Cell>
    </div>
  );
});
