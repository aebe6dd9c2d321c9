import { useEffect, useRef, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { DialogProps } from '@/components/ui/dialog-panel';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** How long a dialog waits for the server before it says what may happen, in milliseconds. */
const TIMEOUT = 3000;

const UNKNOWN = 'If the trash is full, the entries that have been there longest will be deleted forever.';

function describePurge(count: number): string {
  if (count === 0) return '';
  const which = count === 1 ? 'entry that has' : `${countEntries(count)} that have`;
  return `The trash is full, so the ${which} been there longest will be deleted forever.`;
}

async function askForNotice(ids: readonly string[]): Promise<string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const { purged } = await call('POST /bulk/entries/remove/preview', {
      body: { entries: [...ids] },
      signal,
    });
    return describePurge(purged);
  } catch (error) {
    // Moving what isn't there says so itself.
    return error instanceof ApiError && error.status === 404 ? '' : UNKNOWN;
  }
}

/**
 * Asks what moving entries to the trash deletes from it, while a dialog is open.
 * @returns the answer as a sentence, empty if nothing, or until that's known; and whether it was shown when the button was
 *   pressed: if not, it is now, and has to be read first
 */
function useRemovalNotice(ids: readonly string[], open: boolean): [string, () => Promise<boolean>] {
  const [notice, setNotice] = useState('');
  const asked = useRef<Promise<string>>(undefined);
  const list = ids.join();
  useEffect(() => {
    if (!open) return;
    let isOver = false;
    setNotice('');
    asked.current = askForNotice(list.split(','));
    void asked.current.then((sentence) => isOver || setNotice(sentence));
    return () => {
      isOver = true;
    };
  }, [open, list]);
  return [notice, async () => (await asked.current) === notice];
}

/**
 * Asks for confirmation before entries move to the trash, and says what that deletes from it forever.
 * @param onRemove moves them, and resolves to whether it did
 */
export function RemovalDialog({
  ids,
  canCancel = true,
  onRemove,
  ...dialog
}: Omit<DialogProps, 'children'> & {
  ids: readonly string[];
  canCancel?: boolean;
  onRemove: () => Promise<boolean>;
}) {
  const [busy, setBusy] = useState(false);
  const [notice, wasShown] = useRemovalNotice(ids, dialog.open);

  async function remove() {
    setBusy(true);
    // Once they're moved, the page is left or the dialog is gone.
    if (!(await wasShown()) || !(await onRemove())) setBusy(false);
  }

  return (
    <Dialog {...dialog}>
      <p role="alert" className="mb-5 text-15 text-pretty text-danger empty:hidden">
        {notice}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" busy={busy} onClick={() => void remove()}>
          Delete
        </Button>
        <Button variant="secondary" disabled={!canCancel} onClick={() => dialog.onOpenChange(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
