import Link from 'next/link';
import { formatUsDate, fromIso } from '@/lib/entries/calendar';
import { formatBytes } from '@/lib/plans/format';
import type { ImportPlan } from './plan-import';

/** An entry and why it isn't imported. */
interface LeftOut {
  id: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  reason?: string;
}

/** Returns `1 entry`, or `12 entries`. */
export const countEntries = (count: number): string =>
  count === 1 ? '1 entry' : `${count.toLocaleString('en-US')} entries`;

function describeArchive({ total, bytes, years }: ImportPlan): string {
  if (!years) return 'This archive has no entries.';
  const [first, last] = years;
  const when = first === last ? `from ${first}` : `from ${first} to ${last}`;
  return `${countEntries(total)} ${when}, ${formatBytes(bytes)}`;
}

function describeExisting({ total, existing }: ImportPlan): string | null {
  if (existing === 0) return null;
  if (existing === total) return 'Everything in it is already in your journal.';
  return existing === 1 ? '1 is already in your journal.' : `${existing} are already in your journal.`;
}

function formatDay(date: string): string {
  const day = fromIso(date);
  return day ? formatUsDate(day) : date;
}

/** Lists entries under a line that opens the list. */
export function EntryList({ label, entries }: { label: string; entries: readonly LeftOut[] }) {
  return (
    <details className="text-14 text-ink-2">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center font-semibold text-ink hover:underline">
        {label}
      </summary>
      <ul className="flex max-h-72 flex-col gap-2 overflow-y-auto pb-2" tabIndex={-1}>
        {entries.map(({ id, title, date, reason }, index) => (
          // An archive may have an id twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list doesn't change its order
          <li key={`${id} ${index}`} className="break-words">
            “{title}” <span className="text-ink-3 tabular-nums">{formatDay(date)}</span>
            {reason && <span className="block">{reason}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Says what's in an archive, and what of it can't be imported, before anything starts. */
export function ImportSummary({ plan }: { plan: ImportPlan }) {
  const { unfit, refused, spaceLeft } = plan;
  const existing = describeExisting(plan);
  return (
    <div className="flex flex-col gap-2 text-15">
      <p className="font-semibold tabular-nums">{describeArchive(plan)}</p>
      {existing && <p className="text-ink-2">{existing}</p>}
      {unfit.length > 0 && (
        <>
          <p className="text-warn">
            {unfit.length === 1 ? '1 won’t fit' : `${unfit.length} won’t fit`} into your plan, which has space
            for {spaceLeft}. <Link href="/settings?tab=plan">See your plan</Link>
          </p>
          <EntryList label="What won’t fit" entries={unfit.map(({ entry }) => entry)} />
        </>
      )}
      {refused.length > 0 && (
        <EntryList
          label={`${countEntries(refused.length)} can’t be imported`}
          entries={refused.map(({ entry: { entry }, reason }) => ({ ...entry, reason }))}
        />
      )}
    </div>
  );
}
