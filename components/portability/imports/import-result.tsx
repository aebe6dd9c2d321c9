import { CircleCheck } from 'lucide';
import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { describeResult } from './describe-import';
import type { ImportState } from './import-reducer';
import { EntriesLeftOut, EntryList } from './import-summary';
import { UndoImport } from './undo-import';

/** Says how an import has ended, with what couldn't be imported, and offers to undo it. */
export function ImportResult({
  state,
  onRetry,
  onClose,
}: {
  state: ImportState;
  onRetry: () => void;
  /** Called to choose something else, or once it's undone. */
  onClose: () => void;
}) {
  const { failed, plan, journalProblem, importId } = state;
  const added = (plan?.wanted.length ?? 0) - failed.length;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-15 font-semibold">
        {failed.length === 0 && (
          <Icon of={CircleCheck} className="mr-1.5 inline size-4 text-ok" aria-hidden="true" />
        )}
        {describeResult(state)}
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
        {failed.length > 0 && <Button onClick={onRetry}>Try again</Button>}
        <ButtonLink href="/journals" variant={failed.length > 0 ? 'secondary' : 'primary'}>
          Open your journal
        </ButtonLink>
        <Button variant="secondary" onClick={onClose}>
          Import more
        </Button>
        {importId && <UndoImport importId={importId} onUndone={onClose} />}
      </div>
    </div>
  );
}
