'use client';

import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { keptOwner, watchKept } from './has-kept';

const KeptLabel = lazyComponent(() => import('./kept-label'), 'KeptLabel');

/** Shows whether an entry is on this device, and brings the copy up to date. Loads nothing for people who keep none. */
export function KeptStatus(props: {
  /** The account. */
  owner: string;
  entryId: string;
  /** Opens the dialog that says more. */
  onOpen: () => void;
}) {
  const { owner } = props;
  const [mayBeKept, setMayBeKept] = useState(false);
  useEffect(() => {
    const look = () => setMayBeKept(keptOwner() === owner);
    look();
    return watchKept(look);
  }, [owner]);
  if (!mayBeKept) return null;
  return (
    <Suspense fallback={null}>
      <KeptLabel {...props} />
    </Suspense>
  );
}
