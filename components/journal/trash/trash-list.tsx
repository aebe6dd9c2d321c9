'use client';

import { useState } from 'react';
import { entryHref } from '@/components/journal/entries/entry-href';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Button, ButtonLink } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ProgressBar } from '@/components/ui/progress-bar';
import { showError } from '@/components/ui/show-error';
import { useListChanges } from '@/components/ui/use-list-changes';
import { call } from '@/lib/api/shared/client';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { TrashedEntry } from '@/lib/journal/entries/contract';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import { type DateFormat, formatDate } from '@/lib/journal/entries/shared/date-format';

/** Returns an instant's date in UTC. */
const utcDate = (iso: string): CalendarDate => {
  const [year = 0, month = 0, day = 0] = iso.slice(0, 10).split('-').map(Number);
  return { year, month, day };
};

/** Says when an entry was made, how long it is, and how much it takes. */
const describe = ({ date, duration, bytes }: TrashedEntry, dateFormat: DateFormat) =>
  [formatDate(date, dateFormat), duration !== null && formatDuration(duration), formatBytes(bytes)]
    .filter(Boolean)
    .join(', ');

/** Lists entries deleted in the last 30 days, to restore or delete forever. */
export function TrashList({
  entries,
  limit,
  dateFormat,
}: {
  entries: readonly TrashedEntry[];
  /** How much the trash holds, in bytes. */
  limit: number;
  dateFormat: DateFormat;
}) {
  const { items: trashed, ...changes } = useListChanges(entries);
  const [restored, setRestored] = useState<TrashedEntry | null>(null);
  const [purging, setPurging] = useState<TrashedEntry | null>(null);
  const [busy, setBusy] = useState<string | null>(null);

  const used = trashed.reduce((sum, { bytes }) => sum + bytes, 0);

  /** Returns whether the entry has left the trash. */
  async function remove({ id }: TrashedEntry, request: () => Promise<unknown>): Promise<boolean> {
    setBusy(id);
    try {
      await request();
      changes.remove(id);
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      setBusy(null);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        {restored && (
          <p className="flex flex-wrap items-center justify-between gap-3 rounded-12 bg-sunken py-1 pr-1 pl-4 text-15">
            <span>
              “<bdi>{restored.title}</bdi>” is back in your journal.
            </span>
            <ButtonLink size="sm" variant="ghost" href={entryHref(restored)}>
              Open it
            </ButtonLink>
          </p>
        )}
      </div>
      <div className="flex max-w-[60ch] flex-col gap-2">
        <p className="text-15 tabular-nums">
          {formatBytes(used)} of {formatBytes(limit)}
        </p>
        <ProgressBar label="Space in the trash" value={Math.min(used, limit)} max={limit} />
      </div>
      {trashed.length === 0 && <p className="text-15 text-ink-2">The trash is empty.</p>}
      <ul className="flex flex-col gap-3 empty:hidden">
        {trashed.map((entry) => (
          <li
            key={entry.id}
            className="flex flex-wrap items-center justify-between gap-3 rounded-12 border border-line p-4"
          >
            <div className="min-w-0">
              <h3 dir="auto" className="text-16 font-semibold break-words">
                {entry.title}
              </h3>
              <p className="text-14 text-ink-3">
                {`${describe(entry, dateFormat)}. Deletes forever by `}
                <time dateTime={entry.purgedAt}>{formatDate(utcDate(entry.purgedAt), dateFormat)}</time>.
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                size="sm"
                variant="secondary"
                busy={busy === entry.id}
                onClick={async () => {
                  const restore = () => call('POST /trash/:id/restore', { params: { id: entry.id } });
                  if (await remove(entry, restore)) setRestored(entry);
                }}
              >
                Restore<span className="sr-only"> {entry.title}</span>
              </Button>
              <Button size="sm" variant="ghost" onClick={() => setPurging(entry)}>
                Delete forever<span className="sr-only"> {entry.title}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Dialog
        open={purging !== null}
        onOpenChange={(open) => !open && setPurging(null)}
        title="Delete forever?"
        description={`This deletes “${purging?.title ?? ''}” with its video, transcript, and notes. You can’t undo this.`}
      >
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            busy={busy !== null}
            onClick={async () => {
              if (!purging) return;
              const purge = () => call('POST /trash/:id/purge', { params: { id: purging.id } });
              if (await remove(purging, purge)) setPurging(null);
            }}
          >
            Delete forever
          </Button>
          <Button variant="secondary" onClick={() => setPurging(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
