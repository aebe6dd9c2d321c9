import { formatSpan, formatSpanInWords } from '@/lib/billing/plans/shared/format';
import type { Pace } from '@/lib/journal/entries/pace';
import styles from './hours-by-year.module.css';

/** How far apart labels have to be to fit a phone, as a share of the bar. */
const LABEL_SHARE = 0.15;
/** The share of the bar's end that the limit's label takes. */
const LIMIT_SHARE = 0.24;
const LEVELS = 4;

/** Returns how each year is drawn: where it begins and how long it is, as shares of the bar. */
function toSegments(years: Pace['years'], limit: number) {
  const recorded = years.filter(({ seconds }) => seconds > 0);
  // More than the limit fills the bar.
  const whole = Math.max(
    limit,
    recorded.reduce((sum, { seconds }) => sum + seconds, 0),
  );
  let start = 0;
  return recorded.map(({ year, seconds }, index) => {
    const segment = {
      year,
      seconds,
      start,
      share: seconds / whole,
      // From 1 for the oldest years to 4 for the newest one.
      level:
        LEVELS - Math.ceil(((recorded.length - 1 - index) / Math.max(1, recorded.length - 1)) * (LEVELS - 1)),
    };
    start += segment.share;
    return segment;
  });
}

/** Returns the segments that have space for their year below: the newest first, since it matters most. */
function labeled(segments: ReturnType<typeof toSegments>) {
  const chosen: typeof segments = [];
  for (const segment of segments.toReversed()) {
    const next = chosen[0];
    const fits = next
      ? next.start - segment.start >= LABEL_SHARE
      : segment.start <= 1 - LIMIT_SHARE - LABEL_SHARE;
    if (fits) chosen.unshift(segment);
  }
  return chosen;
}

/** Shows how much of the plan's time each year took, in one bar. */
export function HoursByYear({ years, limit }: { years: Pace['years']; limit: number }) {
  const segments = toSegments(years, limit);
  const text = segments.map(({ year, seconds }) => `${year}: ${formatSpanInWords(seconds)}`).join('; ');
  return (
    <div
      role="img"
      aria-label={`Recorded by year. ${text || 'Nothing yet'}. The limit is ${formatSpanInWords(limit)}.`}
    >
      <div className={styles.bar}>
        {segments.map(({ year, share, level }) => (
          <span key={year} data-level={level} className={styles.year} style={{ width: `${share * 100}%` }} />
        ))}
      </div>
      <div className={styles.labels}>
        {labeled(segments).map(({ year, start }) => (
          <span key={year} style={{ left: `${start * 100}%` }}>
            {year}
          </span>
        ))}
        <span className={styles.limit}>{formatSpan(limit)}</span>
      </div>
    </div>
  );
}
