import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { useSelection } from './selection';
import type { SelectedEntry } from './selection-state';

/** A dialog that does something with the selected entries. */
export interface ActionDialogProps {
  entries: readonly SelectedEntry[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
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

interface BulkAction {
  isBusy: boolean;
  /** Opens or closes the dialog; ignored while the action runs, since it would end a selection made meanwhile. */
  setOpen: (open: boolean) => void;
  run: (action: () => Promise<Done>) => Promise<void>;
}

/**
 * Runs an action on the selected entries, ends the selection, and offers to undo the action once.
 * @param onOpenChange opens or closes the action's dialog
 */
export function useBulkAction(onOpenChange: (open: boolean) => void): BulkAction {
  const router = useRouter();
  const { end, drop } = useSelection();
  const [isBusy, setBusy] = useState(false);

  async function run(action: () => Promise<Done>) {
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
    } catch (error) {
      showError(error);
      setBusy(false);
      if (!isNotFound(error)) return;
      // The rest can be tried again. A tag may be what's gone; then there are no fields.
      const gone = Object.keys(error.fields);
      if (gone.length > 0) drop(gone);
      router.refresh();
    }
  }

  const setOpen = (open: boolean) => {
    if (!isBusy) onOpenChange(open);
  };
  return { isBusy, setOpen, run };
}
