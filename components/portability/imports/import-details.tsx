import { countEntries } from '@/components/journal/entries/count-entries';
import { Button } from '@/components/ui/button';
import { ImportProgress } from './import-progress';
import type { ImportState } from './import-reducer';
import { ImportResult } from './import-result';
import {
  discardImport,
  pauseImport,
  resumeImport,
  retryNow,
  reviewAgain,
  startImport,
  stopImport,
} from './import-session';
import { ImportSummary } from './import-summary';

/** Returns what the button that starts an import says; null if there's nothing to import. */
function startLabel({ plan, tags }: ImportState): string | null {
  const wanted = plan?.wanted.length ?? 0;
  if (wanted > 0) return `Import ${countEntries(wanted)}`;
  return tags > 0 ? 'Import tags' : null;
}

/** Shows what would be imported, and starts it. */
function ReadyImport({ state, account }: { state: ImportState; account: string }) {
  const { plan, problem, review, importId } = state;
  if (!plan) return null;
  const label = startLabel(state);
  return (
    <>
      <ImportSummary plan={plan} />
      {problem && (
        <p role="alert" className="text-15 text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {label && <Button onClick={() => void startImport()}>{label}</Button>}
        {review && importId === null && (
          <Button variant="secondary" onClick={reviewAgain}>
            Back to the list
          </Button>
        )}
        {importId === null ? (
          <Button variant="secondary" onClick={() => void discardImport(account)}>
            Choose something else
          </Button>
        ) : (
          <Button variant="secondary" onClick={() => void stopImport(account)}>
            Stop importing
          </Button>
        )}
      </div>
    </>
  );
}

/** Shows what an import would add, or how far it is, or how it ended. */
export function ImportDetails({ state, account }: { state: ImportState; account: string }) {
  const { phase } = state;
  if (phase === 'running' || phase === 'paused') {
    return (
      <ImportProgress
        state={state}
        onPause={pauseImport}
        onContinue={() => void resumeImport()}
        onRetryNow={retryNow}
      />
    );
  }
  if (phase === 'done') {
    return (
      <ImportResult
        state={state}
        onRetry={() => void resumeImport()}
        onClose={() => void discardImport(account)}
      />
    );
  }
  return <ReadyImport state={state} account={account} />;
}
