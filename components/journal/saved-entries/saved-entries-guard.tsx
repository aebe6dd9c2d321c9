'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { loadCode } from '@/components/ui/load-code';
import { watchSession } from '@/lib/api/shared/client';
import { savedEntriesOwner } from './saved-entries-owner';

function protect(): void {
  if (savedEntriesOwner() === null) return;
  void loadCode(() => import('./protect-saved-entries'))
    .then(({ protectSavedEntries }) => protectSavedEntries())
    .catch(() => {
      // Without an answer, the next page asks again.
    });
}

/**
 * Protects what's saved on this device whenever a call finds that the session is over. Loads nothing where nothing is saved.
 * @param shouldAsk whether to ask the server now
 */
export function useSavedEntriesGuard(shouldAsk: boolean): void {
  useEffect(() => watchSession(protect), []);
  useEffect(() => {
    if (shouldAsk) protect();
  }, [shouldAsk]);
}

/**
 * Protects what's saved on this device from whoever uses it after its owner's session.
 * @param account null if nobody is signed in; undefined if that's unknown
 */
export function SavedEntriesGuard({ account }: { account: string | null | undefined }) {
  // A page whose session was over may lead there without a full page load.
  const isAtLogin = usePathname() === '/login';
  useSavedEntriesGuard(account === null || isAtLogin);
  return null;
}
