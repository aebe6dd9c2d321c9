'use client';

import { useEffect } from 'react';
import { currentAccount } from '@/components/ui/browser-storage';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** How often a page that can be seen checks, in milliseconds. */
const CHECK_INTERVAL_MS = 3000;

/**
 * Leaves for another page once the address is verified: by the email's link in another tab, which signs this browser in,
 * or anywhere if this browser is signed in already.
 * @param next a path of this site
 * @param isSignedIn whether the browser is signed in to the account that's to be verified
 */
export function ContinueOnceVerified({ next, isSignedIn }: { next: string; isSignedIn: boolean }) {
  useEffect(() => {
    const over = new AbortController();
    // Somebody else may be signed in, while another person signs up.
    const other = isSignedIn ? null : currentAccount();
    async function check(): Promise<void> {
      const account = currentAccount();
      // The studio may turn on the camera, which a page that can't be seen must not.
      if (document.visibilityState !== 'visible' || account === null || account === other) return;
      const { accountStatus } = await call('GET /check_account_status', {
        onExpired: 'throw',
        signal: over.signal,
      });
      if (accountStatus !== 'VERIFIED') return;
      over.abort();
      // A full page load, so that everything is rendered with the new cookies.
      window.location.replace(next);
    }
    function tryCheck(): void {
      check().catch((error: unknown) => {
        // The session is over. Whatever else failed, such as the network, is tried again.
        if (error instanceof ApiError && error.status === 401) over.abort();
      });
    }
    const timer = setInterval(tryCheck, CHECK_INTERVAL_MS);
    over.signal.addEventListener('abort', () => clearInterval(timer));
    document.addEventListener('visibilitychange', tryCheck, { signal: over.signal });
    return () => over.abort();
  }, [next, isSignedIn]);
  return null;
}
