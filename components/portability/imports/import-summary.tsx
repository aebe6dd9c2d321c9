import { ChevronRight } from 'lucide';
import Link from 'next/link';
import { estimateUploadSeconds } from '@/components/capture/uploads/transfer/transfer-rate';
import { countEntries } from '@/components/journal/entries/count-entries';
import { Icon } from '@/components/ui/icon';
import { roughDuration } from '@/components/ui/time-left';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { formatUsDate, fromIso } from '@/lib/journal/entries/shared/calendar';
import { fromYears } from './describe-import';
import type { ImportItem } from './import-source';
import type { ImportPlan } from './plan-import';

/** An entry and why it isn't imported. */
type LeftOut = Pick<ImportItem, 'id' | 'title' | 'date'> & { reason?: string };

function describeTotal({ total, bytes, years }: ImportPlan): string {
  if (!years) return 'There’s nothing to import.';
  return `${countEntries(total)}${fromYears(...years)}, ${formatBytes(bytes)}`;
}

function describeExisting({ total, existing }: ImportPlan): string | null {
  if (existing === 0) return null;
  if (existing === total) return 'Everything is already in your journal.';
  return `${existing} ${existing === 1 ? 'is' : 'are'} already in your journal.`;
}

function formatDay(date: string): string {
  const day = fromIso(date);
  return day ? formatUsDate(day) : date;
}

/** A list of thousands would say no more. */
const MAX_LISTED = 100;

/** Lists entries under a line that opens the list. */
export function EntryList({ label, entries }: { label: string; entries: readonly LeftOut[] }) {
  return (
    <details className="group text-14 text-ink-2">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-1 font-semibold text-ink hover:underline">
        <Icon of={ChevronRight} className="size-4 group-open:rotate-90" aria-hidden="true" />
        {label}
      </summary>
      <ul className="flex flex-col gap-2 pb-2">
        {entries.slice(0, MAX_LISTED).map(({ id, title, date, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an archive may have an id twice, and the order doesn't change
          <li key={`${id} ${index}`} className="break-words">
            <span>
              “<bdi>{title}</bdi>”{' '}
            </span>
            <span className="text-ink-3 tabular-nums">{formatDay(date)}</span>
            {reason && <span className="block">{reason}</span>}
          </li>
        ))}
        {entries.length > MAX_LISTED && <li>And {countEntries(entries.length - MAX_LISTED)} more.</li>}
      </ul>
    </details>
  );
}

/** Says what isn't imported. @param isOver whether the others have been */
export function EntriesLeftOut({ plan, isOver = false }: { plan: ImportPlan; isOver?: boolean }) {
  const { unfit, refused, spaceLeft } = plan;
  return (
    <>
      {unfit.length > 0 && (
        <>
          <p className="text-15 text-warn">
            {isOver
              ? `${unfit.length} didn’t fit in your plan.`
              : `${unfit.length} won’t fit in your plan, which has space for ${spaceLeft}.`}{' '}
            <Link href="/settings/plan" className="underline">
              See your plan
            </Link>
          </p>
          <EntryList label={isOver ? 'What didn’t fit' : 'What won’t fit'} entries={unfit} />
        </>
      )}
      {refused.length > 0 && (
        <EntryList label={`${countEntries(refused.length)} can’t be imported`} entries={refused} />
      )}
    </>
  );
}

/** Says what was chosen, and what of it can't be imported, before anything starts. */
export function ImportSummary({ plan }: { plan: ImportPlan }) {
  const existing = describeExisting(plan);
  const bytes = plan.wanted.reduce((sum, item) => sum + item.bytes, 0);
  const seconds = bytes > 0 ? estimateUploadSeconds(bytes) : null;
  return (
    <div className="flex flex-col gap-2 text-15">
      <p className="font-semibold tabular-nums">{describeTotal(plan)}</p>
      {existing && <p className="text-ink-2">{existing}</p>}
      {seconds !== null && (
        <p className="text-ink-2">Sending takes {roughDuration(seconds)} at the speed of your last upload.</p>
      )}
      <EntriesLeftOut plan={plan} />
    </div>
  );
}
