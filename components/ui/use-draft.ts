import { useEffect, useState } from 'react';
import { accountValue, setAccountValue } from './browser-storage';

/**
 * A text that survives a reload in this browser until it's cleared with null, or its owner logs out.
 * @param owner the account
 * @returns the draft, null while there's none, and how to change it
 */
export function useDraft(owner: string, name: string): [string | null, (draft: string | null) => void] {
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => setDraft(accountValue(owner, name)), [owner, name]);
  function keep(next: string | null) {
    setDraft(next);
    setAccountValue(owner, name, next);
  }
  return [draft, keep];
}
