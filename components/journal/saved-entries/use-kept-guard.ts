import { useEffect } from 'react';
import { loadCode } from '@/components/ui/load-code';
import { watchSession } from '@/lib/api/shared/client';
import { keptOwner } from './has-kept';

function settle(): void {
  if (keptOwner() === null) return;
  void loadCode(() => import('./settle-kept'))
    .then(({ settleKept }) => settleKept())
    .catch(() => {
      // Without an answer, the next page asks again.
    });
}

/**
 * Protects what's kept on this device whenever a call finds that the session is over. Loads nothing where nothing is kept.
 * @param shouldAsk whether to ask the server now
 */
export function useKeptGuard(shouldAsk: boolean): void {
  useEffect(() => watchSession(settle), []);
  useEffect(() => {
    if (shouldAsk) settle();
  }, [shouldAsk]);
}
