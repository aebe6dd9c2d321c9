'use client';

import { Suspense } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { Loading, Skeleton } from '@/components/ui/loading';
import type { DateFormat } from '@/lib/journal/entries/shared/date-format';

const DevicePanel = lazyComponent(() => import('./device-panel'), 'DevicePanel');

/** Shows what an account has on this device, and how much space it takes. */
export function ThisDevice({ owner, dateFormat }: { owner: string; dateFormat: DateFormat }) {
  const loading = (
    <Loading>
      <Skeleton className="h-96 rounded-18" />
    </Loading>
  );
  return (
    <Suspense fallback={loading}>
      <DevicePanel owner={owner} dateFormat={dateFormat} loading={loading} />
    </Suspense>
  );
}
