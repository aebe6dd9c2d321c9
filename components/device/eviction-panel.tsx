import Link from 'next/link';
import { useEffect, useState } from 'react';
import { checkRecordings } from '@/components/capture/recorder/recording-store';
import { checkUploads } from '@/components/capture/uploads/queue/upload-store';
import { checkKept } from '@/components/journal/saved-entries/kept-store';
import { Button } from '@/components/ui/button';
import { findLost, forgetLost, type KeptCounts } from './kept-marker';
import { describeLoss } from './lost-text';

/** Each notices what's missing from one of this device's databases. */
const CHECKS = [checkRecordings, checkUploads, checkKept];

/** Compares what's on this device with what was kept here, and shows what the browser has deleted until it's dismissed. */
export function EvictionPanel() {
  const [lost, setLost] = useState<KeptCounts | null>(null);
  useEffect(() => {
    void Promise.allSettled(CHECKS.map((check) => check())).then(() => setLost(findLost()));
  }, []);
  function dismiss() {
    forgetLost();
    setLost(null);
  }
  return (
    <div role="status" className={lost ? 'max-w-[min(400px,calc(100vw-32px))]' : 'absolute'}>
      {lost && (
        <div className="flex flex-col items-start gap-3 rounded-18 border border-line-strong bg-surface p-5 text-15 text-ink shadow-lg">
          <p className="text-pretty">{describeLoss(lost)}</p>
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
