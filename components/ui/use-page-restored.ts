import { useEffect, useEffectEvent } from 'react';

/**
 * Runs when the browser restores the page from its back/forward cache. A button that led to another site would
 * otherwise stay busy after Back.
 */
export function usePageRestored(onRestored: () => void): void {
  const restore = useEffectEvent(({ persisted }: PageTransitionEvent) => persisted && onRestored());
  useEffect(() => {
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, []);
}
