'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RemovalWarning } from '@/components/journal/trash/removal-warning';
import { useRemovalNotice } from '@/components/journal/trash/use-removal-notice';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';
import { publishRemovedEntries } from './removed-entries';

interface EntryRef {
  id: string;
  title: string;
}

/** Asks for confirmation, moves the entry to the trash and returns to the journal. */
export function DeleteDialog({
  id,
  title,
  open,
  onOpenChange,
}: EntryRef & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  const [removing, setRemoving] = useState(false);
  const { notice, wasShown } = useRemovalNotice([id], open);

  async function undo() {
    try {
      await call('POST /trash/:id/restore', { params: { id } });
      router.push(`/entry/${id}`);
    } catch (error) {
      showError(error);
    }
  }

  async function remove() {
    setRemoving(true);
    if (!(await wasShown())) return setRemoving(false);
    try {
      await call('POST /entry/:id/remove', { params: { id } });
      publishRemovedEntries([id]);
      router.push('/journals');
      toast.success('Entry moved to the trash.', { label: 'Undo', onPress: () => void undo() });
    } catch (error) {
      showError(error);
      setRemoving(false);
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this entry?"
      description={`“${title}” moves to the trash with its video, transcript, and notes. You can restore it for up to 30 days.`}
    >
      <RemovalWarning notice={notice} />
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" busy={removing} onClick={() => void remove()}>
          Delete
        </Button>
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

/** Deletes an entry after asking for confirmation. */
export function DeleteButton(which: EntryRef) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <DeleteDialog {...which} open={asking} onOpenChange={setAsking} />
    </>
  );
}
