import Link from 'next/link';
import { useEffect, useState } from 'react';
import { detectEvictions } from '@/components/device/account-store';
import {
  type Counts,
  describeEviction,
  dismissEvicted,
  readEvicted,
} from '@/components/device/eviction-detection';
import { Button } from '@/components/ui/button';
import { ACCOUNT_STORES } from './account-stores';

/** Detects what the browser has evicted, and says so until that's dismissed. */
export function EvictionPanel() {
  const [evicted, setEvicted] = useState<Counts | null>(null);
  useEffect(() => {
    void detectEvictions(ACCOUNT_STORES).then(() => setEvicted(readEvicted()));
  }, []);
  function dismiss() {
    dismissEvicted();
    setEvicted(null);
  }
  return (
    <div role="status" className={evicted ? 'max-w-[min(400px,calc(100vw-32px))]' : 'absolute'}>
      {evicted && (
        <div className="flex flex-col items-start gap-3 rounded-18 border border-line-strong bg-surface p-5 text-15 text-ink shadow-lg">
          <p className="text-pretty">{describeEviction(evicted)}</p>
          <p className="text-14 text-pretty text-ink-2">
            Browsers rarely do this to installed apps, or if you allow persistent storage.{' '}
            <Link
              href="/settings/device"
              className="font-semibold text-accent-ink underline underline-offset-4"
            >
              Settings for this device
            </Link>
          </p>
          <Button size="sm" variant="secondary" onClick={dismiss}>
            OK
          </Button>
        </div>
      )}
    </div>
  );
}
