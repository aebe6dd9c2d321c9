'use client';

import { useEffect, useLayoutEffect } from 'react';
import { callAs } from '@/lib/contract/client';
import { switchStorageAccount, watchAccount } from './browser-storage';

/** A login that goes on where a session has run out. */
const isReturning = () =>
  /^\/login/.test(location.pathname) && new URLSearchParams(location.search).has('next');

/**
 * Removes from this browser what doesn't belong to the account that's signed in, and makes the page's calls that
 * account's. Render it before the page: its layout effect then runs before any component reads or writes.
 * @param account undefined while nobody can say, which changes nothing
 */
export function AccountStorage({ account }: { account: string | null | undefined }) {
  useLayoutEffect(() => {
    if (account === undefined) return;
    callAs(account);
    switchStorageAccount(account, isReturning());
  }, [account]);
  useEffect(() => (account === undefined ? undefined : watchAccount(account)), [account]);
  return null;
}
