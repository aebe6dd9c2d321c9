'use client';

import { formatMonth } from '@/components/entries/months';
import type { YearActivity } from '@/lib/entries/dashboard';

const DAY = 86_400_000;
const CELL = 14;
const GAP = 3;
const STEP = CELL + GAP;
const TOP = 18;

/** The color of a day with no entries, one, two, and three or more. */
const FILLS = [
  'var(--line)',
  'color-mix(in oklch, var(--accent) 45%, var(--canvas))',
  'color-mix(in oklch, var(--accent) 72%, var(--canvas))',
  'var(--accent)',
];

const iso = (time: number) => new Date(time).toISOString().slice(0, 10);

interface Cell {
  day: string;
  x: number;
  y: number;
  count: number;
}

function toCells({ from, counts }: Pick<YearActivity, 'from' | 'counts'>): Cell[] {
  const start = Date.parse(from);
  return counts.map((count, index) => ({
    day: iso(start + index * DAY),
    x: Math.floor(index / 7) * STEP,
    y: TOP + (index % 7) * STEP,
    count,
  }));
}

/** Returns the cells above which a month's name goes, except where the right edge would cut it off. */
const monthStarts = (cells: Cell[]) => cells.filter(({ day, x }) => day.endsWith('-01') && x < 51 * STEP);

function countByMonth(cells: Cell[]): [month: string, entries: number, days: number][] {
  const months = new Map<string, [number, number]>();
  for (const { day, count } of cells) {
    if (count === 0) continue;
    const [entries, counted] = months.get(day.slice(0, 7)) ?? [0, 0];
    months.set(day.slice(0, 7), [entries + count, counted + 1]);
  }
  return [...months]
    .map(([month, [entries, counted]]): [string, number, number] => [month, entries, counted])
    .sort((a, b) => b[0].localeCompare(a[0]));
}

/** Shows the last year as squares, darker with more entries. Screen readers get a table by month instead. */
export function YearHeatmap(year: Pick<YearActivity, 'from' | 'counts'>) {
  const cells = toCells(year);
  const width = 53 * STEP;
  const height = TOP + 7 * STEP;
  // One path for all days with the same count: an element for each would be most of the page.
  const paths = FILLS.map((fill, level) => ({
    fill,
    d: cells
      .filter(({ count }) => Math.min(count, FILLS.length - 1) === level)
      .map(({ x, y }) => `M${x} ${y}h${CELL}v${CELL}h-${CELL}z`)
      .join(''),
  }));
  return (
    <>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="h-auto w-full max-w-[901px]">
        {paths.map(({ fill, d }) => d && <path key={fill} d={d} style={{ fill }} />)}
        {monthStarts(cells).map(({ day, x }) => (
          <text key={day} x={x} y={11} style={{ fill: 'var(--ink-3)', fontSize: 11, direction: 'ltr' }}>
            {formatMonth(day.slice(0, 7)).slice(0, 3)}
          </text>
        ))}
      </svg>
      {/* The box hides it: a table takes the width it needs even when it's visually hidden. */}
      <div className="sr-only">
        <table>
          <caption>Entries by month over the last year</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Entries</th>
              <th scope="col">Days with an entry</th>
            </tr>
          </thead>
          <tbody>
            {countByMonth(cells).map(([month, entries, days]) => (
              <tr key={month}>
                <th scope="row">{formatMonth(month)}</th>
                <td>{entries}</td>
                <td>{days}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
