'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { getDeviceSetting } from '@/components/ui/browser-storage';
import { lazyComponent } from '@/components/ui/load-code';
import { WAITING_EDITS_KEY } from './edit';

const PendingEditsNotice = lazyComponent(() => import('./pending-edits-notice'), 'PendingEditsNotice');

/** Sends what was edited without a network. Loads nothing while nothing waits on this device. */
export function PendingEdits({ account }: { account: string }) {
  const path = usePathname();
  const [areWaiting, setWaiting] = useState(false);
  // Checked on every page, since another tab may have stored some. Once loaded, it stays to say what became of them.
  useEffect(() => {
    if (getDeviceSetting(WAITING_EDITS_KEY) === account) setWaiting(true);
  }, [account, path]);
  if (!areWaiting) return null;
  return (
    <Suspense fallback={null}>
      <PendingEditsNotice account={account} />
    </Suspense>
  );
}
