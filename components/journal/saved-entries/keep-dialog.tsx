'use client';

import { Suspense } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { lazyComponent } from '@/components/ui/load-code';

const KeepPanel = lazyComponent(() => import('./keep-panel'), 'KeepPanel');

/** Offers to keep an entry on this device, and to remove it. */
export function KeepDialog({
  owner,
  entryId,
  open,
  onOpenChange,
}: {
  /** The account. */
  owner: string;
  entryId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keep on this device"
      description="Watch this entry and read its transcript without a connection. It’s removed when you log out."
    >
      <Suspense fallback={null}>
        <KeepPanel owner={owner} entryId={entryId} />
      </Suspense>
    </Dialog>
  );
}
