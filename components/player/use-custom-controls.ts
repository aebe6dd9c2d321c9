import { useSyncExternalStore } from 'react';

/** A pointer that hovers: with fingers, the browser's own controls are the better ones. */
const QUERY = '(hover: hover) and (pointer: fine)';

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(QUERY);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether the player shows controls of its own: not on touch, and not before this code runs. */
export function useCustomControls(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(QUERY).matches,
    () => false,
  );
}
