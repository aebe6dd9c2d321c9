'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { getDeviceSetting } from '@/components/ui/browser-storage';
import { INTERRUPTED_UPLOADS_KEY, UPLOAD_QUEUED_EVENT } from './upload-constants';

const UploadPill = lazy(() => import('./upload-pill'));

/**
 * Keeps uploads in sight on every page, and goes on with what a reload has interrupted. Nothing is loaded while
 * there is nothing to send.
 */
export function GlobalUploads({ userId }: { userId: string }) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    if (getDeviceSetting(INTERRUPTED_UPLOADS_KEY) === userId) want();
    window.addEventListener(UPLOAD_QUEUED_EVENT, want);
    return () => window.removeEventListener(UPLOAD_QUEUED_EVENT, want);
  }, [userId]);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <UploadPill userId={userId} />
    </Suspense>
  );
}
