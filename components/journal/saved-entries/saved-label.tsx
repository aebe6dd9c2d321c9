import { HardDriveDownload } from 'lucide';
import { useEffect } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { Icon } from '@/components/ui/icon';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { downloadSavedEntries } from './download-entries';
import { refreshSavedEntry } from './refresh-saved-entries';
import { useSavedEntries } from './use-saved-entries';

/** Says that an entry is on this device or on its way there. Brings the copy up to date when the page opens. */
export function SavedLabel({ owner, entryId, onOpen }: OwnedEntry & { onOpen: () => void }) {
  const saved = useSavedEntries(owner)?.entries.find(({ id }) => id === entryId);
  const isComplete = saved?.complete === true;
  useEffect(() => {
    // One that isn't complete is brought up to date by its download.
    if (isComplete) void refreshSavedEntry(owner, entryId).then(() => downloadSavedEntries(owner));
  }, [owner, entryId, isComplete]);
  if (!saved) return null;
  const { complete, bytes, downloaded, problem } = saved;
  const percent = bytes > 0 ? ` ${Math.floor((100 * downloaded) / Math.max(bytes, downloaded))}%` : '';
  return (
    <button
      type="button"
      onClick={onOpen}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-8 px-2 text-14 text-ink-2 tabular-nums hover:bg-sunken hover:text-ink"
    >
      <Icon of={HardDriveDownload} className="size-4" aria-hidden="true" />
      {complete
        ? `On this device · ${formatBytes(bytes)}`
        : problem
          ? 'Download paused'
          : `Downloading…${percent}`}
    </button>
  );
}
