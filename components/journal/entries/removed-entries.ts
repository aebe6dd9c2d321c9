type Listener = (ids: readonly string[]) => void;

const listeners = new Set<Listener>();

/** Calls a listener with the entries that this page has just moved to the trash. @returns a function that stops it */
export function subscribeToRemovedEntries(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells the listeners that entries were moved to the trash. */
export function publishRemovedEntries(ids: readonly string[]): void {
  for (const listener of listeners) listener(ids);
}
