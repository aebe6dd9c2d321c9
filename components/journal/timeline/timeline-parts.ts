import type { Timeline, TimelineRow } from '@/lib/journal/timeline/contract';

/** The most rows that are in the page at a time. */
export const MAX_ROWS = 120;

/**
 * Adds rows to one end of what's shown, and takes as many from the other end as are too many.
 * @param direction the end to add to: `earlier` is the bottom
 */
export function joinParts(shown: Timeline, more: Timeline, direction: 'earlier' | 'later'): Timeline {
  const known = new Set(shown.rows.map(({ entry }) => entry.id));
  const added = more.rows.filter(({ entry }) => !known.has(entry.id));
  const isEarlier = direction === 'earlier';
  const all = isEarlier ? [...shown.rows, ...added] : [...added, ...shown.rows];
  const rows = isEarlier ? all.slice(-MAX_ROWS) : all.slice(0, MAX_ROWS);
  const isCut = rows.length < all.length;
  const months = new Map([...shown.months, ...more.months].map((month) => [month.month, month]));
  return {
    rows,
    months: [...months.values()],
    hasEarlier: isEarlier ? more.hasEarlier : shown.hasEarlier || isCut,
    hasLater: isEarlier ? shown.hasLater || isCut : more.hasLater,
  };
}

/** Replaces the rows that have newer versions. */
export function updateRows(shown: Timeline, newer: Timeline): Timeline {
  const rows = new Map(newer.rows.map((row) => [row.entry.id, row]));
  return { ...shown, rows: shown.rows.map((row) => rows.get(row.entry.id) ?? row) };
}

/** Rows of a month, newest first. */
export interface MonthRows {
  /** `YYYY-MM` */
  month: string;
  rows: TimelineRow[];
}

/** Groups rows by month. */
export function groupByMonth(rows: readonly TimelineRow[]): MonthRows[] {
  const groups: MonthRows[] = [];
  for (const row of rows) {
    const { year, month } = row.entry.date;
    const name = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
    const group = groups.at(-1);
    if (group?.month === name) group.rows.push(row);
    else groups.push({ month: name, rows: [row] });
  }
  return groups;
}
