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

/** Returns the rows that would be imported now, and how many others are included without a valid date or title. */
export function planReview(rows: readonly ReviewRow[]): { ready: readonly ReviewRow[]; invalid: number } {
  const wanted = rows.filter(isWanted);
  const ready = wanted.filter(({ date, title }) => checkDate(date) === null && checkTitle(title) === null);
  return { ready, invalid: wanted.length - ready.length };
}
