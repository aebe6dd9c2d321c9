'use client';

import { useEffect } from 'react';
import { subscribeToRemovedEntries } from '@/components/journal/entries/removed-entries';
import { subscribeToSentChanges } from '@/components/journal/offline-edits/sent-changes';
import { loadCode } from '@/components/ui/load-code';
import { savedEntriesOwner } from './saved-entries-owner';

/**
 * Brings a saved entry up to date when a change of it has been sent, and deletes it when it's moved to the trash. Loads
 * nothing where none are saved.
 */
export function useSavedEntryUpdates(account: string): void {
  useEffect(() => {
    const stops = [
      subscribeToSentChanges(async ({ entryId }) => {
        if (savedEntriesOwner() !== account) return;
        const { refreshSavedEntry } = await loadCode(() => import('./refresh-saved-entries'));
        await refreshSavedEntry(account, entryId);
      }),
      subscribeToRemovedEntries((ids) => {
        if (savedEntriesOwner() !== account) return;
        void loadCode(() => import('./saved-entry-store'))
          .then(({ deleteSavedEntries }) => deleteSavedEntries(account, ids))
          .catch(() => {
            // They're deleted when they're next compared with the server's.
          });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [account]);
}

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
