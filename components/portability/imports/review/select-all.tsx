import type { Dispatch } from 'react';
import type { ReviewAction, ReviewState } from './review-state';

/** Selects all rows that are shown, or none. Half checked if some are selected. */
export function SelectAll({
  state: { shown, selected },
  dispatch,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
}) {
  const isAll = shown.length > 0 && selected.size === shown.length;
  return (
    <label className="flex min-h-11 min-w-11 cursor-pointer items-center text-14 font-semibold">
      <span className="grid size-11 shrink-0 place-items-center">
        <input
          ref={(input) => {
            if (input) input.indeterminate = selected.size > 0 && !isAll;
          }}
          type="checkbox"
          checked={isAll}
          onChange={() => dispatch({ type: isAll ? 'clear' : 'select_all' })}
          className="size-5 cursor-pointer accent-accent"
        />
      </span>
      Select all
    </label>
  );
}
