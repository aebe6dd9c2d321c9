import { countEntries } from '@/components/journal/entries/count-entries';
import { Button } from '@/components/ui/button';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatTimeLeft } from '@/components/ui/time-left';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { currentEntry } from './describe-import';
import type { ImportState } from './import-reducer';

/** What a person can do about an import. */
interface ImportControls {
  onPause: () => void;
  onContinue: () => void;
  /** Called to not wait any longer for what it waits for. */
  onRetryNow: () => void;
}

/** Shows how far an import is. */
export function ImportProgress({
  state,
  onPause,
  onContinue,
  onRetryNow,
}: { state: ImportState } & ImportControls) {
  const { phase, sent, total, secondsLeft, waiting, problem } = state;
  const { current, wanted } = currentEntry(state);
  const isPaused = phase === 'paused';
  const status = waiting?.sentence ?? problem ?? (isPaused ? 'Paused. Nothing is lost.' : '');
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap justify-between gap-x-4 text-14 text-ink-2 tabular-nums">
        <span>
          {isPaused ? 'Imported' : 'Importing'} {current} of {countEntries(wanted)}
        </span>
        <span>
          {formatBytes(sent)} of {formatBytes(total)}
        </span>
      </p>
      <ProgressBar label="Import" value={sent} max={Math.max(total, 1)} />
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-40 text-14 text-ink-2">
          <p role="status" className={problem ? 'text-danger' : undefined}>
            {status}
          </p>
          {secondsLeft !== null && <p>{formatTimeLeft(secondsLeft)}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {waiting && (
            <Button size="sm" onClick={onRetryNow}>
              Try again
            </Button>
          )}
          {isPaused ? (
            <Button size="sm" onClick={onContinue}>
              Continue
            </Button>
          ) : (
            <Button size="sm" variant="secondary" onClick={onPause}>
              Pause
            </Button>
          )}
        </div>
      </div>
      {!isPaused && (
        <p className="text-14 text-ink-3">
          Keep Daylight open in this tab. You can use other pages in the meantime. If the tab closes, come
          back here and continue with the same files.
        </p>
      )}
    </div>
  );
}
