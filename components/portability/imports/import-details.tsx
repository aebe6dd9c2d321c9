import { CircleCheck } from 'lucide';
import { countEntries } from '@/components/journal/entries/count-entries';
import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatTimeLeft } from '@/components/ui/time-left';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { currentEntry, describeResult } from './describe-import';
import type { ImportState } from './import-reducer';
import {
  discardImport,
  pauseImport,
  resumeImport,
  retryNow,
  reviewAgain,
  startImport,
  stopImport,
} from './import-session';
import { EntriesLeftOut, EntryList, ImportSummary } from './import-summary';
import type { ImportPlan } from './plan-import';
import { UndoImport } from './undo-import';

/** Returns what the button that starts an import says; null if there's nothing to import. */
function startLabel({ wanted }: ImportPlan, { session }: ImportState): string | null {
  if (wanted.length > 0) return `Import ${countEntries(wanted.length)}`;
  return session && session.source.tags > 0 ? 'Import tags' : null;
}

/** Shows what would be imported, and starts it. */
function ReadyImport({ state, account }: { state: ImportState; account: string }) {
  const { plan, problem, review, importId } = state;
  if (!plan) return null;
  const label = startLabel(plan, state);
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
        <Button
          variant="secondary"
          onClick={() => void (importId === null ? discardImport : stopImport)(account)}
        >
          {importId === null ? 'Choose something else' : 'Stop importing'}
        </Button>
      </div>
    </>
  );
}

/** Shows how far an import is. */
function ImportProgress({ state }: { state: ImportState }) {
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
            <Button size="sm" onClick={retryNow}>
              Try again
            </Button>
          )}
          <Button
            size="sm"
            variant={isPaused ? 'primary' : 'secondary'}
            onClick={() => void (isPaused ? resumeImport : pauseImport)()}
          >
            {isPaused ? 'Continue' : 'Pause'}
          </Button>
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

/** Says how an import has ended, with what couldn't be imported, and offers to undo it. */
function ImportResult({ state, account }: { state: ImportState; account: string }) {
  const { failed, plan, journalProblem, importId } = state;
  // To choose something else, or once it's undone.
  const close = () => void discardImport(account);
  const added = (plan?.wanted.length ?? 0) - failed.length;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-15 font-semibold">
        {failed.length === 0 && (
          <Icon of={CircleCheck} className="mr-1.5 inline size-4 text-ok" aria-hidden="true" />
        )}
        <span>{describeResult(state)}</span>
      </p>
      {added > 0 && (
        <p className="text-14 text-ink-2">
          You can close this tab. We’re getting your videos ready and transcribing them. If you undo the
          import, its entries move to Trash. If that’s full, the entries that have been there longest are
          deleted forever.
        </p>
      )}
      {failed.length > 0 && <EntryList label="What couldn’t be imported" entries={failed} />}
      {journalProblem && (
        <p className="text-14 text-ink-2">
          Some tags, learned words, or hidden memories couldn’t be imported. {journalProblem}
        </p>
      )}
      {plan && <EntriesLeftOut plan={plan} isOver />}
      <div className="flex flex-wrap gap-2">
        {failed.length > 0 && <Button onClick={() => void resumeImport()}>Try again</Button>}
        <ButtonLink href="/journals" variant={failed.length > 0 ? 'secondary' : 'primary'}>
          Open your journal
        </ButtonLink>
        <Button variant="secondary" onClick={close}>
          Import more
        </Button>
        {importId && <UndoImport importId={importId} onUndone={close} />}
      </div>
    </div>
  );
}

/** Shows what an import would add, or how far it is, or how it ended. */
export function ImportDetails({ state, account }: { state: ImportState; account: string }) {
  const { phase } = state;
  if (phase === 'running' || phase === 'paused') return <ImportProgress state={state} />;
  return phase === 'done' ? (
    <ImportResult state={state} account={account} />
  ) : (
    <ReadyImport state={state} account={account} />
  );
}
