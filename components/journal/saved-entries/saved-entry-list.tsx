import Link from 'next/link';
import { useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { entryHref } from '@/components/journal/entries/entry-href';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { type DateFormat, formatDate } from '@/lib/journal/entries/shared/date-format';
import { DownloadProgress } from './download-progress';
import { deleteSavedEntries, type SavedEntryProgress } from './saved-entry-store';

/** Says that entries on this device are locked. Shows nothing if none are. */
export function LockedEntries({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="text-16 text-pretty text-ink-2">
      {countEntries(count)} on this device {count === 1 ? 'is' : 'are'} locked, because you’re logged out. Log
      in within 30 days to watch {count === 1 ? 'it' : 'them'} here again.
    </p>
  );
}

/** Says how to save an entry. */
export const HOW_TO_SAVE = 'To keep an entry, open it, select More actions, and then Keep on this device.';

/** Lists saved entries with their sizes, to remove from this device. */
export function SavedEntryList({
  owner,
  saved,
  dateFormat,
}: {
  owner: string;
  saved: readonly SavedEntryProgress[];
  dateFormat: DateFormat;
}) {
  const [asking, setAsking] = useState(false);
  if (saved.length === 0) {
    return <p className="text-15 text-ink-2">No entries are on this device. {HOW_TO_SAVE}</p>;
  }
  const total = saved.reduce((sum, { downloaded }) => sum + downloaded, 0);
  return (
    <>
      <ul className="flex flex-col gap-3">
        {saved.map((one) => {
          const { title, date } = one.entry;
          return (
            <li
              key={one.id}
              className="flex flex-wrap items-center justify-between gap-3 rounded-12 border border-line p-4"
            >
              <div className="min-w-0 grow">
                <h3 dir="auto" className="text-16 font-semibold break-words">
                  <Link href={entryHref(one.entry)} className="hover:underline">
                    {title}
                  </Link>
                </h3>
                <p className="text-14 text-ink-3 tabular-nums">
                  {[formatDate(date, dateFormat), one.complete && formatBytes(one.bytes)]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
                {!one.complete && <DownloadProgress saved={one} />}
              </div>
              <Button size="sm" variant="secondary" onClick={() => void deleteSavedEntries(owner, [one.id])}>
                Remove<span className="sr-only"> {title}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-15 tabular-nums">
          {countEntries(saved.length)} · {formatBytes(total)}
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
          <Button onClick={() => void deleteSavedEntries(owner).then(() => setAsking(false))}>
            Remove all
          </Button>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
