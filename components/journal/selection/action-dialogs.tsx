import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { publishRemovedEntries } from '@/components/journal/entries/removed-entries';
import { RemovalDialog } from '@/components/journal/trash/removal-dialog';
import { Dialog } from '@/components/ui/dialog';
import type { DialogProps } from '@/components/ui/dialog-panel';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { formatUsDate, localToday, toIso } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import { type DateChange, DateForm } from './date-form';
import { type SelectedEntry, useSelection } from './selection';
import { type TagChange, TagForm } from './tag-form';

/** A dialog that does something with the selected entries. */
export interface ActionDialogProps extends Pick<DialogProps, 'open' | 'onOpenChange'> {
  entries: readonly SelectedEntry[];
}

/** What an action did, and how to undo it. */
interface Done {
  message: string;
  undo: () => Promise<unknown>;
}

const isNotFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'not_found';

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';

const CANT_UNDO = 'We couldn’t undo this, because some of these entries or tags aren’t there anymore.';

/**
 * Runs an action on the selected entries, ends the selection, and offers to undo the action once.
 * @param onOpenChange opens or closes the action's dialog
 * @returns `setOpen` does, too, but not while the action runs, since it would end a selection made meanwhile
 */
function useBulkAction(onOpenChange: (open: boolean) => void) {
  const router = useRouter();
  const { end, drop } = useSelection();
  const [isBusy, setBusy] = useState(false);

  /** Resolves to whether the action succeeded. */
  async function run(action: () => Promise<Done>): Promise<boolean> {
    setBusy(true);
    try {
      const { message, undo } = await action();
      const undoNow = async () => {
        try {
          await undo();
          toast.success('Change undone.');
        } catch (error) {
          if (isNotFound(error)) toast.error(CANT_UNDO);
          else showError(error);
          // These two won't pass on another try.
          if (!isNotFound(error) && !isConflict(error)) offerUndo();
        }
        router.refresh();
      };
      const offerUndo = () => toast.success(message, { label: 'Undo', onPress: () => void undoNow() });
      end();
      router.refresh();
      offerUndo();
      return true;
    } catch (error) {
      showError(error);
      setBusy(false);
      if (!isNotFound(error)) return false;
      // The rest can be tried again. A tag may be what's gone; then there are no fields.
      const gone = Object.keys(error.fields);
      if (gone.length > 0) drop(gone);
      router.refresh();
      return false;
    }
  }

  const setOpen = (open: boolean) => {
    if (!isBusy) onOpenChange(open);
  };
  return { isBusy, setOpen, run };
}

/** Sets one date for the entries, or moves each date by a number of days. */
export function DateDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const count = countEntries(entries.length);

  const save = (change: DateChange) =>
    run(async () => {
      const to = 'date' in change ? { date: toIso(change.date) } : change;
      const changed = await call('POST /bulk/entries/date', {
        body: { entries: entries.map(({ id }) => id), ...to },
      });
      return {
        message: `Changed the date of ${count}.`,
        undo: () => call('POST /bulk/entries/date/undo', { body: changed }),
      };
    });

  return (
    <Dialog open={open} onOpenChange={setOpen} title={`Change the date of ${count}`}>
      <DateForm
        initial={formatUsDate(localToday())}
        dates={entries.map(({ date }) => date)}
        describeCount={countEntries}
        isBusy={isBusy}
        onSubmit={(change) => void save(change)}
        onCancel={() => setOpen(false)}
      />
    </Dialog>
  );
}

/** Loads the account's tags when the dialog opens; null until then. */
function useTags(open: boolean): readonly Tag[] | null {
  const [tags, setTags] = useState<readonly Tag[] | null>(null);
  useEffect(() => {
    if (!open) return;
    call('GET /category')
      .then(({ categories }) => setTags(categories))
      .catch(showError);
  }, [open]);
  return tags;
}

/** Adds tags to the entries and removes them. */
export function TagDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const saved = useTags(open);
  const count = countEntries(entries.length);

  const save = (change: TagChange) =>
    run(async () => {
      const body = { entries: entries.map(({ id }) => id), ...change };
      const changed = await call('POST /bulk/entries/tags', { body });
      return {
        message: `Changed the tags of ${count}.`,
        undo: () => call('POST /bulk/entries/tags/undo', { body: changed }),
      };
    });

  return (
    <Dialog open={open} onOpenChange={setOpen} title={`Tag ${count}`}>
      <TagForm
        saved={saved}
        tagged={entries.map(({ tags }) => tags)}
        isBusy={isBusy}
        onSubmit={(change) => void save(change)}
        onCancel={() => setOpen(false)}
      />
    </Dialog>
  );
}

/** Asks for confirmation, and moves the entries to the trash. */
export function DeleteSelectedDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const count = countEntries(entries.length);
  const ids = entries.map(({ id }) => id);
  return (
    <RemovalDialog
      ids={ids}
      title={`Delete ${count}?`}
      description="Videos, transcripts, and notes move to the trash. You can restore them for up to 30 days."
      open={open}
      onOpenChange={setOpen}
      canCancel={!isBusy}
      onRemove={() =>
        run(async () => {
          const removed = await call('POST /bulk/entries/remove', { body: { entries: ids } });
          publishRemovedEntries(ids);
          return {
            message: `${count} moved to the trash.`,
            undo: () => call('POST /bulk/entries/restore', { body: removed }),
          };
        })
      }
    />
  );
}
