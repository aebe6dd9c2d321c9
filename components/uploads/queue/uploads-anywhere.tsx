'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { deviceSetting } from '@/components/ui/browser-storage';
import { INTERRUPTED, UPLOADS_EVENT } from './signs';

const UploadPill = lazy(() => import('./upload-pill'));

/**
 * Keeps uploads in sight on every page, and goes on with what a reload has interrupted. Nothing is loaded while
 * there is nothing to send.
 */
export function UploadsAnywhere({ userId }: { userId: string }) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    if (deviceSetting(INTERRUPTED) === userId) want();
    window.addEventListener(UPLOADS_EVENT, want);
    return () => window.removeEventListener(UPLOADS_EVENT, want);
  }, [userId]);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <UploadPill userId={userId} />
    </Suspense>
  );
}
