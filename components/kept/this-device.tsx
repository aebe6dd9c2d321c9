'use client';

import { Suspense } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { Loading, Skeleton } from '@/components/ui/loading';

const DevicePanel = lazyComponent(() => import('./device-panel'));

/** Shows what an account has on this device, and how much space it takes. */
export function ThisDevice({ owner }: { owner: string }) {
  const loading = (
    <Loading>
      <Skeleton className="h-96 rounded-18" />
    </Loading>
  );
  return (
    <Suspense fallback={loading}>
      <DevicePanel owner={owner} loading={loading} />
    </Suspense>
  );
}
