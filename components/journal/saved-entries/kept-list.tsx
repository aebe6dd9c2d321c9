import Link from 'next/link';
import { useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { entryHref } from '@/components/journal/entries/entry-href';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { type DateFormat, formatDate } from '@/lib/journal/entries/shared/date-format';
import { KeptDownload } from './kept-download';
import { deleteAllKept, deleteKept, type KeptProgress } from './kept-store';

/** Says how to keep an entry. */
export const HOW_TO_KEEP = 'To keep an entry, open it, select More actions, and then Keep on this device.';

/** Lists kept entries with their sizes, to remove from this device. */
export function KeptList({
  owner,
  kept,
  dateFormat,
}: {
  owner: string;
  kept: readonly KeptProgress[];
  dateFormat: DateFormat;
}) {
  const [asking, setAsking] = useState(false);
  if (kept.length === 0) {
    return <p className="text-15 text-ink-2">No entries are on this device. {HOW_TO_KEEP}</p>;
  }
  const total = kept.reduce((sum, { downloaded }) => sum + downloaded, 0);
  return (
    <>
      <ul className="flex flex-col gap-3">
        {kept.map((one) => {
          const { title, date } = one.entry;
          return (
            <li
              key={one.id}
              className="flex flex-wrap items-center justify-between gap-3 rounded-12 border border-line p-4"
            >
              <div className="min-w-0 grow">
                <h3 className="text-16 font-semibold break-words">
                  <Link href={entryHref(one.entry)} className="hover:underline">
                    {title}
                  </Link>
                </h3>
                <p className="text-14 text-ink-3 tabular-nums">
                  {formatDate(date, dateFormat)}
                  {one.complete && ` · ${formatBytes(one.bytes)}`}
                </p>
                {!one.complete && <KeptDownload kept={one} />}
              </div>
              <Button size="sm" variant="secondary" onClick={() => void deleteKept(owner, [one.id])}>
                Remove<span className="sr-only"> {title}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-15 tabular-nums">
          {countEntries(kept.length)} · {formatBytes(total)}
        </p>
        <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
          Remove all
        </Button>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove all entries from this device?"
        description="They stay in your journal, and you can keep them again."
      >
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => void deleteAllKept(owner).then(() => setAsking(false))}>Remove all</Button>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
