/** Storage may be full or forbidden; then nothing is kept. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** What this browser keeps under a key; null when nothing. */
export const recall = (key: string): string | null => attempt(() => localStorage.getItem(key));

/** Keeps a text in this browser; null forgets it. */
export function remember(key: string, value: string | null): void {
  attempt(() => (value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
}
