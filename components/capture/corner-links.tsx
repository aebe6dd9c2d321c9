'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { getDeviceSetting } from '@/components/ui/browser-storage';
import { lazyComponent, loadCode } from '@/components/ui/load-code';
import { whenIdle } from '@/components/ui/when-idle';
import { mayHaveRecordings } from './recorder/has-recordings';
import { INTERRUPTED_UPLOADS_KEY, useUploads } from './uploads/queue/upload-queue-store';

const RecordingsPill = lazyComponent(() => import('./recorder/recordings-pill'), 'RecordingsPill');
const UploadPill = lazyComponent(() => import('./uploads/queue/upload-pill'), 'UploadPill');

async function hasStoredUploads(account: string): Promise<boolean> {
  const { listAllUploads } = await loadCode(() => import('./uploads/queue/upload-store'));
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

/** Offers recordings that aren't uploaded yet on every page but the studio. Loads nothing while there's none. */
export function GlobalRecordings({ userId }: { userId: string }) {
  const path = usePathname();
  const [mayHave, setMayHave] = useState(false);
  // Checked on every page, since the studio may have left one.
  useEffect(() => setMayHave(mayHaveRecordings()), [path]);
  if (!mayHave || path === '/upload') return null;
  return (
    <Suspense fallback={null}>
      <RecordingsPill userId={userId} />
    </Suspense>
  );
}
