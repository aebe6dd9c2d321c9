'use client';

import { useEffect, useState } from 'react';
import { Button } from './button';
import { NEW_VERSION, watchFields } from './load-code';

/** Says that there's a new version that this page should be reloaded for. */
export function NewVersionNotice() {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    const offer = () => setOffered(true);
    window.addEventListener(NEW_VERSION, offer);
    return () => window.removeEventListener(NEW_VERSION, offer);
  }, []);
  useEffect(watchFields, []);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-[calc(88px+env(safe-area-inset-bottom))] z-50 flex justify-center px-3 sm:bottom-3"
    >
      {isOffered && (
        <div
          // Hidden while recording, and above the buttons at the bottom of the page.
          data-corner
          className="pointer-events-auto flex max-w-[640px] items-center justify-between gap-3 rounded-18 border border-line-strong bg-surface py-3 pr-3 pl-5 text-15 shadow-lg"
        >
          <p>A new version of Daylight is ready. Reload when you’re done.</p>
          <Button size="sm" className="shrink-0" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
