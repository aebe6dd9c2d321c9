'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { mayHaveRecordings } from './has-recordings';

const RecordingsPill = lazyComponent(() => import('./recordings-pill'), 'RecordingsPill');

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
