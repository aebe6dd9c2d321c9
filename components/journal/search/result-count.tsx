import { countEntries } from '@/components/journal/entries/count-entries';
import type { Found } from './use-search';

/** Says how many entries are shown, of how many: "30 of 212 entries". */
export function ResultCount({ found, busy }: { found: Found | null; busy: boolean }) {
  return (
    <p role="status" aria-busy={busy} className="min-h-6 text-14 text-ink-2 tabular-nums">
      {found && <CountText found={found} />}
    </p>
  );
}

function CountText({ found: { results, next, summary } }: { found: Found }) {
  const shown = results.length;
  if (shown === 0) return 'No entries found.';
  if (!next) return countEntries(shown);
  // Until they're counted, all that's known is that there are more.
  if (!summary) return `First ${countEntries(shown)}`;
  return (
    <>
      <span className="font-semibold text-ink">
        {shown.toLocaleString('en-US')} of {summary.total.toLocaleString('en-US')}
      </span>{' '}
      entries
    </>
  );
}
