import { type Dispatch, useEffect, useReducer } from 'react';
import type { ReviewRow } from './review-row';
import { type ReviewAction, type ReviewState, reviewReducer, startReview } from './review-state';
import type { RowEdit } from './row-edits';

/**
 * Holds a review. When more is known about the rows, pass a new array: the person's edits stay, and rows that are still
 * the same objects aren't rendered again.
 * @param rows the same array until something changes
 * @param edits what the person changed on an earlier visit; only read at first
 */
export function useReview(
  rows: readonly ReviewRow[],
  edits?: ReadonlyMap<string, RowEdit>,
): [ReviewState, Dispatch<ReviewAction>] {
  const [state, dispatch] = useReducer(reviewReducer, null, () => startReview(rows, edits));
  useEffect(() => dispatch({ type: 'rows', rows }), [rows]);
  return [state, dispatch];
}
