import Link from 'next/link';
import { galleryHref } from '@/components/journal/entries/gallery-href';
import { formatMonth } from '@/components/journal/entries/months';
import {
  circlePath,
  type DayDot,
  DOT_GRID,
  QUIET_RADIUS,
  yearDots,
} from '@/components/journal/entries/year-dots';
import type { YearActivity } from '@/lib/journal/entries/dashboard';
import { durationInWords } from './day-in-words';

const WEEKS = 53;
const WIDTH = WEEKS * DOT_GRID;
const HEIGHT = 7 * DOT_GRID;

/** The colors of a day without an entry, and of the four levels of the others. */
const QUIET = 'color-mix(in oklch, var(--line-strong) 55%, var(--canvas))';
const heat = (level: number) => `var(--heat-${level})`;

const middle = (index: number) => (index + 0.5) * DOT_GRID;

/**
 * Draws days of one level as one path, because an element for each day would be most of the page. Days without an entry
 * are alike, so they're lines of no length, which take a fifth of a circle's text.
 */
function Dots({ dots, level }: { dots: DayDot[]; level: number }) {
  const shapes = dots
    .filter((dot) => dot.level === level)
    .map(({ week, weekday, radius }) =>
      level === 0
        ? `M${middle(week)} ${middle(weekday)}h0`
        : circlePath(middle(week), middle(weekday), radius),
    );
  const style = level === 0 ? { stroke: QUIET, strokeWidth: 2 * QUIET_RADIUS } : { fill: heat(level) };
  return <path d={shapes.join('')} strokeLinecap={level === 0 ? 'round' : undefined} style={style} />;
}

/** A month's name above its first week, which leads to its calendar; with the whole month as a target below it. */
function MonthLink({ first, next }: { first: DayDot; next: DayDot | undefined }) {
  const month = first.day.slice(0, 7);
  const href = galleryHref({ view: 'calendar', month });
  const weeks = (next?.week ?? WEEKS) - first.week;
  const place = { left: `${(first.week / WEEKS) * 100}%`, width: `${(weeks / WEEKS) * 100}%` };
  return (
    <>
      <Link
        href={href}
        prefetch={false}
        aria-label={formatMonth(month)}
        style={{ left: place.left }}
        className="absolute top-0 flex h-7 min-w-7 items-center rounded-8 text-13 text-ink-2 underline-offset-4 hover:text-ink hover:underline"
      >
        {formatMonth(month).slice(0, 3)}
      </Link>
      <Link
        href={href}
        prefetch={false}
        tabIndex={-1}
        aria-hidden="true"
        style={place}
        className="absolute top-7 bottom-0 rounded-8 hover:bg-ink/5"
      />
    </>
  );
}

function MonthTable({ dots }: { dots: DayDot[] }) {
  const months = new Map<string, { days: number; seconds: number }>();
  for (const { day, seconds, level } of dots) {
    if (level === 0) continue;
    const known = months.get(day.slice(0, 7)) ?? { days: 0, seconds: 0 };
    months.set(day.slice(0, 7), { days: known.days + 1, seconds: known.seconds + seconds });
  }
  return (
    <table>
      <caption>Entries by month over the last year</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Days with an entry</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {[...months].reverse().map(([month, { days, seconds }]) => (
          <tr key={month}>
            <th scope="row">{formatMonth(month)}</th>
            <td>{days}</td>
            <td>{durationInWords(seconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Legend() {
  return (
    <p aria-hidden="true" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-ink-3">
      A quiet day
      <svg viewBox="0 0 106 20" aria-hidden="true" className="h-5 w-[106px]">
        <circle cx={8} cy={10} r={QUIET_RADIUS} style={{ fill: QUIET }} />
        {[3.4, 5, 6.8, 8.6].map((radius, index) => (
          <circle key={radius} cx={30 + index * 22} cy={10} r={radius} style={{ fill: heat(index + 1) }} />
        ))}
      </svg>
      Ten minutes or more
      <svg viewBox="0 0 20 20" aria-hidden="true" className="ml-3 size-5">
        <TodayRing x={10} y={10} />
      </svg>
      Today
    </p>
  );
}

function TodayRing({ x, y }: { x: number; y: number }) {
  return <circle cx={x} cy={y} r={8} style={{ fill: 'none', stroke: 'var(--now)', strokeWidth: 2.2 }} />;
}

/**
 * Shows the last year as dots, one for each day, larger and darker the longer its entries are. Months lead to their
 * calendar. It's wider than a phone and starts at its right end, which is today. Screen readers get a table as well.
 */
export function YearDots({ from, days }: Pick<YearActivity, 'from' | 'days'>) {
  const dots = yearDots(days, from);
  const today = dots.at(-1);
  // A name at the right edge would be cut off.
  const months = dots.filter(({ day, week }) => day.endsWith('-01') && week < WEEKS - 2);
  return (
    <>
      {/* From right to left, so that a browser shows its right end first. */}
      <div className="-mx-4 overflow-x-auto px-4 pb-2 [direction:rtl] sm:mx-0 sm:px-0">
        <div className="relative w-full min-w-[900px] pt-7 [direction:ltr]">
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="block h-auto w-full">
            {[0, 1, 2, 3, 4].map((level) => (
              <Dots key={level} level={level} dots={dots} />
            ))}
            {today && <TodayRing x={middle(today.week)} y={middle(today.weekday)} />}
          </svg>
          <nav aria-label="Months of the last year">
            {months.map((first, index) => (
              <MonthLink key={first.day} first={first} next={months[index + 1]} />
            ))}
          </nav>
        </div>
      </div>
      <Legend />
      {/* The box hides it: a table takes the width it needs even when it's visually hidden. */}
      <div className="sr-only">
        <MonthTable dots={dots} />
      </div>
    </>
  );
}
