import { useEffect, useState } from 'react';
import { getAccountValue, setAccountValue } from './browser-storage';

/**
 * A text that survives a reload in this browser until it's cleared with null, or its owner logs out.
 * @param owner the account
 * @returns the draft, null while there's none; how to change it; and how to add what was typed before it was read
 */
export function useDraft(
  owner: string,
  name: string,
): [string | null, (draft: string | null) => void, (typed: string) => void] {
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
  return [draft, saveDraft, addEarly];
}
