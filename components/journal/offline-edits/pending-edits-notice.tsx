import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { CornerButton } from '@/components/ui/corner-link';
import { Dialog } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import { EditConflict } from './conflict';
import { useEditSending, useEdits } from './use-edits';

/** Sends the account's edits, says when they're saved, and asks about those that need a decision. */
export function PendingEditsNotice({ account }: { account: string }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const undecided = useEdits(account).filter(({ problem }) => problem);
  const send = useEditSending(account, ({ sent, waiting, undecided: left }) => {
    if (sent === 0) return;
    // The page may show what has changed.
    router.refresh();
    if (waiting + left === 0) toast.success('Your offline changes are saved.');
  });
  const count = undecided.length;
  return (
    <>
      {count > 0 && (
        <CornerButton
          label="Offline changes"
          text={count === 1 ? '1 change needs your decision' : `${count} changes need your decision`}
          onClick={() => setOpen(true)}
        />
      )}
      <Dialog
        open={isOpen && count > 0}
        onOpenChange={setOpen}
        title="Your offline changes"
        description="Nothing is saved over or lost until you choose."
        width="wide"
      >
        <ul className="flex flex-col gap-6">
          {undecided.map((edit) => (
            <li key={`${edit.entryId} ${edit.target}`} className="border-t border-line pt-5">
              <EditConflict edit={edit} onDecided={send} />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
