import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { useSelection } from './selection';

/** What an action did, and how to undo it. */
interface Done {
  message: string;
  undo: () => Promise<unknown>;
}

/** Runs an action on the selected entries, ends the selection, and offers to undo the action once. */
export function useBulkAction(): { isBusy: boolean; run: (action: () => Promise<Done>) => Promise<void> } {
  const router = useRouter();
  const { end } = useSelection();
  const [isBusy, setBusy] = useState(false);

  async function run(action: () => Promise<Done>) {
    setBusy(true);
    try {
      const { message, undo } = await action();
      let isUndone = false;
      const press = async () => {
        if (isUndone) return;
        isUndone = true;
        try {
          await undo();
          toast.success('Change undone.');
        } catch (error) {
          isUndone = false;
          showError(error);
        }
        router.refresh();
      };
      end();
      router.refresh();
      toast.success(message, { label: 'Undo', onPress: () => void press() });
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  }

  return { isBusy, run };
}
