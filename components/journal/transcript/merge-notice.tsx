import { useEffect, useRef, useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';
import { Button } from '@/components/ui/button';
import { mergedRevisionKey } from './transcript-draft';

/** Says that a correction sent from here replaced another one of the same words, until it's dismissed or corrected again. */
export function MergeNotice({
  owner,
  entryId,
  revision,
  onHistory,
}: OwnedEntry & {
  /** The one that's shown; null if none is. */
  revision: number | null;
  /** Opens the history, where there is one. */
  onHistory?: () => void;
}) {
  const key = mergedRevisionKey(entryId);
  const [merged, setMerged] = useState<string | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  // It's written when there's a new revision.
  useEffect(() => setMerged(getAccountValue(owner, key)), [owner, key, revision]);
  const isShown = merged !== null && merged === `${revision}`;

  function dismiss() {
    setAccountValue(owner, key, null);
    setMerged(null);
    // The focused button disappears.
    status.current?.focus();
  }

  return (
    <div
      className={
        isShown
          ? 'flex flex-wrap items-center gap-x-1 border-b border-line py-1.5 text-14 sm:px-5'
          : undefined
      }
    >
      <p ref={status} role="status" tabIndex={-1} className="mr-auto py-2 outline-none empty:p-0">
        {isShown && 'Changed on two devices. Both versions are in History.'}
      </p>
      {isShown && (
        <>
          {onHistory && (
            <Button size="sm" variant="ghost" onClick={onHistory}>
              Open history
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
}
