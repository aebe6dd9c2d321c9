import { useEffect } from 'react';
import { subscribeToSentChanges } from '@/components/journal/offline-edits/sent-changes';
import { loadCode } from '@/components/ui/load-code';
import { keptOwner } from './has-kept';

/** Brings the copy of a kept entry up to date when a change of it has been sent. Loads nothing where none are kept. */
export function useKeptInStep(account: string): void {
  useEffect(
    () =>
      subscribeToSentChanges(async ({ entryId }) => {
        if (keptOwner() !== account) return;
        const { refreshKept } = await loadCode(() => import('./refresh-kept'));
        await refreshKept(account, entryId);
      }),
    [account],
  );
}
