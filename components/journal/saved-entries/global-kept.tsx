'use client';

import { useEffect } from 'react';
import { loadCode } from '@/components/ui/load-code';
import { keptOwner } from './has-kept';
import { useKeptInStep } from './use-kept-in-step';

/**
 * Deletes kept entries of other accounts from this device, continues downloads that a closed tab interrupted, and brings
 * kept entries up to date once a day. Loads nothing where none are kept.
 */
export function GlobalKept({ account }: { account: string }) {
  useKeptInStep(account);
  useEffect(() => {
    // An ended session deletes nothing: its owner may be back.
    if (keptOwner() === null) return;
    void loadCode(() => import('./keep-entry'))
      .then(({ resumeKept }) => resumeKept(account))
      .catch(() => {
        // Without a network, the next page tries again.
      });
  }, [account]);
  return null;
}
