import { checkDate, checkTitle, type ReviewRow } from './review-row';

const isWanted = ({ isIncluded, problem }: ReviewRow) => isIncluded && problem === null;

/** Whether a row is only in the lists of what's left out. A folder of an iPhone may have thousands of these. */
export const isSetAside = ({ isLivePhoto, isIncluded }: ReviewRow): boolean => isLivePhoto && !isIncluded;

/** Which rows are shown, in the order of their buttons. Dates and titles are only checked where they're needed. */
const FILTERS = {
  all: { label: 'All', matches: (row) => !isSetAside(row) },
  date: {
    label: 'Check the date',
    matches: (row) => isWanted(row) && (row.warning !== null || checkDate(row.date) !== null),
  },
  title: { label: 'Check the title', matches: (row) => isWanted(row) && checkTitle(row.title) !== null },
  duplicate: { label: 'Duplicates', matches: ({ duplicate }) => duplicate !== null },
  live_photo: { label: 'Live Photos', matches: ({ isLivePhoto }) => isLivePhoto },
  left_out: { label: 'Left out', matches: ({ isIncluded, problem }) => !isIncluded && problem === null },
  problem: { label: 'Can’t be imported', matches: ({ problem }) => problem !== null },
} satisfies Record<string, { label: string; matches: (row: ReviewRow) => boolean }>;

export type ReviewFilter = keyof typeof FILTERS;

/** Returns whether a filter shows a row. */
export const matchesFilter = (row: ReviewRow, filter: ReviewFilter): boolean => FILTERS[filter].matches(row);

/** Returns the filters, with how many rows each shows. */
export const countByFilter = (rows: readonly ReviewRow[]) =>
  (Object.keys(FILTERS) as ReviewFilter[]).map((filter) => ({
    filter,
    label: FILTERS[filter].label,
    count: rows.filter(FILTERS[filter].matches).length,
  }));

/** Returns the rows that would be imported now, and how many others are included without a valid date or title. */
export function planReview(rows: readonly ReviewRow[]): { ready: readonly ReviewRow[]; invalid: number } {
  const wanted = rows.filter(isWanted);
  const ready = wanted.filter(({ date, title }) => checkDate(date) === null && checkTitle(title) === null);
  return { ready, invalid: wanted.length - ready.length };
}
