import { countEntries } from '@/components/journal/entries/count-entries';
import { publishRemovedEntries } from '@/components/journal/entries/removed-entries';
import { RemovalWarning } from '@/components/journal/trash/removal-warning';
import { useRemovalNotice } from '@/components/journal/trash/use-removal-notice';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { call } from '@/lib/api/shared/client';
import { type ActionDialogProps, useBulkAction } from './use-bulk-action';

/** Asks for confirmation, and moves the entries to the trash. */
export function DeleteSelectedDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const count = countEntries(entries.length);
  const ids = entries.map(({ id }) => id);
  const { notice, wasShown } = useRemovalNotice(ids, open);

  const remove = async () => {
    if (!(await wasShown())) return;
    await run(async () => {
      const removed = await call('POST /bulk/entries/remove', { body: { entries: ids } });
      publishRemovedEntries(ids);
      return {
        message: `${count} moved to the trash.`,
        undo: () => call('POST /bulk/entries/restore', { body: removed }),
      };
    });
  };

  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Delete ${count}?`}
      description="Videos, transcripts, and notes move to the trash. You can restore them for up to 30 days."
    >
      <RemovalWarning notice={notice} />
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" busy={isBusy} onClick={() => void remove()}>
          Delete
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
