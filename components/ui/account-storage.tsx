'use client';

import { useEffect, useLayoutEffect } from 'react';
import { setCallingAccount } from '@/lib/api/shared/client';
import { switchStorageAccount, watchAccount } from './browser-storage';

/** Returns whether this is a login after a session expired, which leads back to where it was. */
const isReturning = () =>
  /^\/login/.test(location.pathname) && new URLSearchParams(location.search).has('next');

/**
 * Deletes what other accounts left in this browser, and makes the page's calls in the name of the signed-in account.
 * Render it before the page, so that its layout effect runs before any component reads or writes.
 * @param account null if nobody is signed in; undefined if that's unknown, which changes nothing
 */
export function AccountStorage({ account }: { account: string | null | undefined }) {
  useLayoutEffect(() => {
    if (account === undefined) return;
    setCallingAccount(account);
    switchStorageAccount(account, isReturning());
  }, [account]);
  useEffect(() => (account === undefined ? undefined : watchAccount(account)), [account]);
  return null;
}
