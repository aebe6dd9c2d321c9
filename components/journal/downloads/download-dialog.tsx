'use client';

import { Suspense } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { lazyComponent } from '@/components/ui/load-code';

const DownloadList = lazyComponent(() => import('./download-list'), 'DownloadList');

/** Offers an entry's files to save. */
export function DownloadDialog({
  entryId,
  open,
  onOpenChange,
}: {
  entryId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Download">
      <Suspense fallback={null}>
        <DownloadList entryId={entryId} />
      </Suspense>
    </Dialog>
  );
}
