import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { CornerButton } from '@/components/ui/corner-link';
import { Dialog } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import { UnsentEdit } from './unsent-edit';
import { useEditSending, useEdits } from './use-edits';

/** Sends the account's edits, says when they're saved, and shows those that can't be. */
export function PendingEditsNotice({ account }: { account: string }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const unsaved = useEdits(account).filter(({ problem }) => problem);
  const send = useEditSending(account, ({ sent, waiting, unsaved: left }) => {
    if (sent === 0) return;
    // The page may show what has changed.
    router.refresh();
    if (waiting + left === 0) toast.success('Your offline changes are saved.');
  });
  const count = unsaved.length;
  return (
    <>
      {count > 0 && (
        <CornerButton
          label="Offline changes"
          text={count === 1 ? '1 change couldn’t be saved' : `${count} changes couldn’t be saved`}
          onClick={() => setOpen(true)}
        />
      )}
      <Dialog
        open={isOpen && count > 0}
        onOpenChange={setOpen}
        title="Your offline changes"
        description="These couldn’t be saved. They stay on this device until you discard them."
      >
        <ul className="flex flex-col gap-6">
          {unsaved.map((edit) => (
            <li key={`${edit.entryId} ${edit.target}`} className="border-t border-line pt-5">
              <UnsentEdit edit={edit} onRetry={send} />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
