'use client';

import { Suspense, useEffect, useState } from 'react';
import { getDeviceSetting } from '@/components/ui/browser-storage';
import { lazyComponent, loadCode } from '@/components/ui/load-code';
import { whenIdle } from '@/components/ui/when-idle';
import { INTERRUPTED_UPLOADS_KEY, useUploads } from './upload-queue-store';

const UploadPill = lazyComponent(() => import('./upload-pill'), 'UploadPill');

async function hasStoredUploads(account: string): Promise<boolean> {
  const { listAllUploads } = await loadCode(() => import('./upload-store'));
  return (await listAllUploads()).some(({ owner }) => owner === account);
}

/**
 * Shows uploads on every page and resumes those that a reload interrupted. Loads nothing before the page is idle if
 * there's nothing to upload.
 */
export function GlobalUploads({ userId }: { userId: string }) {
  const uploads = useUploads();
  const [interrupted, setInterrupted] = useState(false);
  useEffect(() => {
    if (getDeviceSetting(INTERRUPTED_UPLOADS_KEY) === userId) return setInterrupted(true);
    // A browser that's killed may forget that, but not what's in its database.
    return whenIdle(() => void hasStoredUploads(userId).then(setInterrupted, () => {}));
  }, [userId]);
  if (uploads.length === 0 && !interrupted) return null;
  return (
    <Suspense fallback={null}>
      <UploadPill userId={userId} />
    </Suspense>
  );
}
