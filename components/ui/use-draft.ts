import { useEffect, useState } from 'react';
import { getAccountValue, setAccountValue } from './browser-storage';

/**
 * Stores a draft in this browser. It survives reloads until it's cleared with null or its owner logs out.
 * @param owner the account's id
 * @returns the draft or null; a setter; and a function that adds what was typed before the draft was read
 */
export function useDraft(owner: string, name: string) {
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => setDraft(getAccountValue(owner, name)), [owner, name]);
  function saveDraft(next: string | null) {
    setDraft(next);
    setAccountValue(owner, name, next);
  }
  function addEarly(typed: string) {
    const stored = getAccountValue(owner, name);
    // A browser may restore a field on reload by itself, with the very text of the draft.
    saveDraft(stored && stored !== typed ? `${stored}\n${typed}` : typed);
  }
  return [draft, saveDraft, addEarly] as const;
}
