import { useEffect, useEffectEvent, useState } from 'react';
import { showError } from '@/components/ui/show-error';

/**
 * Returns how to go to a page of another site whose address a call returns, and whether that's under way. It no longer is
 * once the call has failed, which is shown, or the browser restores this page from its back/forward cache.
 */
export function useLeave(): { isLeaving: boolean; leave: (findUrl: () => Promise<string>) => Promise<void> } {
  const [isLeaving, setLeaving] = useState(false);
  const restore = useEffectEvent(({ persisted }: PageTransitionEvent) => persisted && setLeaving(false));
  useEffect(() => {
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, []);

  async function leave(findUrl: () => Promise<string>) {
    setLeaving(true);
    try {
      window.location.assign(await findUrl());
    } catch (error) {
      showError(error);
      setLeaving(false);
    }
  }

  return { isLeaving, leave };
}
