import { circlePath, type DayDot, DOT_GRID } from '@/components/journal/entries/year-dots';

const middle = (index: number) => (index + 0.5) * DOT_GRID;

/**
 * Draws a year's dots upright: a column for each weekday, the newest week on top. Days that don't match are outlines.
 * One path for all dots of a kind, since an element for each would be most of the page.
 */
export function YearDrawing({
  dots,
  weeks,
  isMatch,
  today,
}: {
  dots: readonly DayDot[];
  weeks: number;
  isMatch: (day: string) => boolean;
  /** `YYYY-MM-DD` */
  today: string;
}) {
  const at = ({ week, weekday }: DayDot): [number, number] => [middle(weekday), middle(weeks - 1 - week)];
  const circles = (kind: readonly DayDot[]) => kind.map((dot) => circlePath(...at(dot), dot.radius)).join('');
  const quiet = dots.filter(({ level }) => level === 0);
  const others = dots.filter(({ level, day }) => level > 0 && !isMatch(day));
  const current = dots.find(({ day }) => day === today);
  return (
    <svg viewBox={`0 0 ${7 * DOT_GRID} ${weeks * DOT_GRID}`} aria-hidden="true" className="year-drawing">
      <path className="quiet" d={quiet.map((dot) => `M${at(dot).join(' ')}h0`).join('')} />
      <path className="other" d={circles(others)} />
      {[1, 2, 3, 4].map((heat) => (
        <path
          key={heat}
          style={{ fill: `var(--heat-${heat})` }}
          d={circles(dots.filter(({ level, day }) => level === heat && isMatch(day)))}
        />
      ))}
      {current && <path className="today" d={circlePath(...at(current), 8)} />}
    </svg>
  );
}
