import { useEffect, useState } from 'react';
import { recall, remember } from './browser-storage';

/**
 * A text that survives a reload in this browser until it is cleared with null.
 * @returns the draft, null while there is none, and how to change it
 */
export function useDraft(key: string): [string | null, (draft: string | null) => void] {
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => setDraft(recall(key)), [key]);
  function keep(next: string | null) {
    setDraft(next);
    remember(key, next);
  }
  return [draft, keep];
}
