import { Button } from '@/components/ui/button';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { downloadSavedEntries } from './download-entries';
import type { SavedEntryProgress } from './saved-entry-store';

/** Shows how far the download of a saved entry is, or that it's on this device, with its size. */
export function DownloadProgress({ saved }: { saved: SavedEntryProgress }) {
  const { owner, entry, complete, bytes, downloaded, problem } = saved;
  if (complete) {
    return (
      <p role="status" className="text-15 tabular-nums">
        On this device · {formatBytes(bytes)}
      </p>
    );
  }
  const max = Math.max(bytes, downloaded, 1);
  return (
    <div className="flex w-full flex-col items-start gap-2">
      <ProgressBar label={`Download of ${entry.title}`} value={downloaded} max={max} />
      <p className="text-14 text-ink-2 tabular-nums">
        {[!problem && 'Downloading…', bytes > 0 && `${formatBytes(downloaded)} of ${formatBytes(bytes)}`]
          .filter(Boolean)
          .join(' ')}
      </p>
      <p role="status" className="text-14 text-warn empty:hidden">
        {problem}
      </p>
      {problem && (
        <Button size="sm" variant="secondary" onClick={() => void downloadSavedEntries(owner)}>
          Try again
        </Button>
      )}
    </div>
  );
}
