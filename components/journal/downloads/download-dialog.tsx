'use client';

import { Suspense } from 'react';
import { Dialog } from '@/components/ui/dialog';
import type { DialogProps } from '@/components/ui/dialog-panel';
import { lazyComponent } from '@/components/ui/load-code';

const DownloadList = lazyComponent(() => import('./download-list'), 'DownloadList');

/** Offers an entry's files to save. */
export function DownloadDialog({
  entryId,
  ...state
}: { entryId: string } & Pick<DialogProps, 'open' | 'onOpenChange'>) {
  return (
    <Dialog {...state} title="Download">
      <Suspense fallback={null}>
        <DownloadList entryId={entryId} />
      </Suspense>
    </Dialog>
  );
}
