import { checkDate, checkTitle, type ReviewRow } from './review-row';

/** Which rows are shown, in the order of their buttons. */
export const REVIEW_FILTERS = ['all', 'date', 'title', 'duplicate', 'left_out', 'problem'] as const;
export type ReviewFilter = (typeof REVIEW_FILTERS)[number];

export const FILTER_LABELS: Record<ReviewFilter, string> = {
  all: 'All',
  date: 'Check the date',
  title: 'Check the title',
  duplicate: 'Duplicates',
  left_out: 'Left out',
  problem: 'Can’t be imported',
};

const isWanted = ({ isIncluded, problem }: ReviewRow) => isIncluded && problem === null;

/** Returns whether a filter shows a row. Dates and titles are only checked where they're needed. */
export function matchesFilter(row: ReviewRow, filter: ReviewFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'date':
      return isWanted(row) && (row.warning !== null || checkDate(row.date) !== null);
    case 'title':
      return isWanted(row) && checkTitle(row.title) !== null;
    case 'duplicate':
      return row.duplicate !== null;
    case 'left_out':
      return !row.isIncluded && row.problem === null;
    case 'problem':
      return row.problem !== null;
  }
}

/** Counts the rows that each filter shows. */
export function countByFilter(rows: readonly ReviewRow[]): Record<ReviewFilter, number> {
  const counts = { all: 0, date: 0, title: 0, duplicate: 0, left_out: 0, problem: 0 };
  for (const row of rows) {
    for (const filter of REVIEW_FILTERS) if (matchesFilter(row, filter)) counts[filter]++;
  }
  return counts;
}

/** What would be imported now, and what wouldn't. Each row is in one list. */
export interface ReviewPlan {
  ready: readonly ReviewRow[];
  /** Included, but without a valid date or title. */
  invalid: readonly { row: ReviewRow; reason: string }[];
  leftOut: readonly ReviewRow[];
  /** Rows whose `problem` says why they can't be imported. */
  refused: readonly ReviewRow[];
  /** How many of those in `ready` have a date that nobody has checked. */
  unchecked: number;
}

/** Sorts rows by what happens to them. */
export function planReview(rows: readonly ReviewRow[]): ReviewPlan {
  const ready: ReviewRow[] = [];
  const invalid: { row: ReviewRow; reason: string }[] = [];
  const leftOut: ReviewRow[] = [];
  const refused: ReviewRow[] = [];
  for (const row of rows) {
    const reason = checkDate(row.date) ?? checkTitle(row.title);
    if (row.problem !== null) refused.push(row);
    else if (!row.isIncluded) leftOut.push(row);
    else if (reason) invalid.push({ row, reason });
    else ready.push(row);
  }
  return { ready, invalid, leftOut, refused, unchecked: ready.filter(({ warning }) => warning).length };
}
