'use client';

import { useEffect } from 'react';
import { loadCode } from '@/components/ui/load-code';
import { savedEntriesOwner } from './saved-entries-owner';
import { useSavedEntryUpdates } from './use-saved-entry-updates';

/**
 * Deletes saved entries of other accounts from this device, continues downloads that a closed tab interrupted, and brings
 * saved entries up to date once a day. Loads nothing where none are saved.
 */
export function GlobalSavedEntries({ account }: { account: string }) {
  useSavedEntryUpdates(account);
  useEffect(() => {
    // An ended session deletes nothing: its owner may be back.
    if (savedEntriesOwner() === null) return;
    void loadCode(() => import('./download-entries'))
      .then(({ resumeSavedEntries }) => resumeSavedEntries(account))
      .catch(() => {
        // Without a network, the next page tries again.
      });
  }, [account]);
  return null;
}
