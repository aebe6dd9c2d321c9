'use client';

import { Suspense, useEffect, useState } from 'react';
import { getDeviceSetting } from '@/components/ui/browser-storage';
import { lazyComponent } from '@/components/ui/load-code';
import { INTERRUPTED_UPLOADS_KEY, useUploads } from './upload-queue-store';

const UploadPill = lazyComponent(() => import('./upload-pill'));

/**
 * Shows uploads on every page and resumes those that a reload interrupted. Loads nothing while there's nothing to
 * upload.
 */
export function GlobalUploads({ userId }: { userId: string }) {
  const uploads = useUploads();
  const [interrupted, setInterrupted] = useState(false);
  useEffect(() => setInterrupted(getDeviceSetting(INTERRUPTED_UPLOADS_KEY) === userId), [userId]);
  if (uploads.length === 0 && !interrupted) return null;
  return (
    <Suspense fallback={null}>
      <UploadPill userId={userId} />
    </Suspense>
  );
}
