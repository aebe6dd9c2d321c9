'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RemovalDialog } from '@/components/journal/trash/removal-dialog';
import { Button } from '@/components/ui/button';
import type { DialogProps } from '@/components/ui/dialog-panel';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';
import type { Entry } from '@/lib/journal/entries/contract';
import { publishRemovedEntries } from './removed-entries';

type EntryRef = Pick<Entry, 'id' | 'title'>;

/** Asks for confirmation, moves the entry to the trash and returns to the journal. */
export function DeleteDialog({ id, title, ...state }: EntryRef & Pick<DialogProps, 'open' | 'onOpenChange'>) {
  const router = useRouter();
  async function undo() {
    try {
      await call('POST /trash/:id/restore', { params: { id } });
      router.push(`/entry/${id}`);
    } catch (error) {
      showError(error);
    }
  }

  async function remove(): Promise<boolean> {
    try {
      await call('POST /entry/:id/remove', { params: { id } });
      publishRemovedEntries([id]);
      router.push('/journals');
      toast.success('Entry moved to the trash.', { label: 'Undo', onPress: () => void undo() });
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  return (
    <RemovalDialog
      ids={[id]}
      title="Delete this entry?"
      description={`“${title}” moves to the trash with its video, transcript, and notes. You can restore it for up to 30 days.`}
      {...state}
      onRemove={remove}
    />
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
