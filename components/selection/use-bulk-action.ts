import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { ApiError } from '@/lib/contract/client';
import { useSelection } from './selection';

/** What an action did, and how to undo it. */
interface Done {
  message: string;
  undo: () => Promise<unknown>;
}

/** Returns whether an undo can't succeed later, either: something has changed since, or is gone. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found');

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
  const { end } = useSelection();
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
          showError(error);
          if (!isFinal(error)) offerUndo();
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
    }
  }

  const setOpen = (open: boolean) => {
    if (!isBusy) onOpenChange(open);
  };
  return { isBusy, setOpen, run };
}
