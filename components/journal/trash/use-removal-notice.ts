import { useEffect, useRef, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** How long a dialog waits for the server before it says what may happen, in milliseconds. */
const TIMEOUT = 3000;

const UNKNOWN = 'If the trash is full, the entries that have been there longest will be deleted forever.';

function describePurge(count: number): string {
  if (count === 0) return '';
  const which = count === 1 ? 'entry that has' : `${countEntries(count)} that have`;
  return `The trash is full, so the ${which} been there longest will be deleted forever.`;
}

async function askForNotice(ids: readonly string[]): Promise<string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const { purged } = await call('POST /bulk/entries/remove/preview', {
      body: { entries: [...ids] },
      signal,
    });
    return describePurge(purged);
  } catch (error) {
    // Moving what isn't there says so itself.
    return error instanceof ApiError && error.status === 404 ? '' : UNKNOWN;
  }
}

/** What a dialog has to say before it moves entries to the trash. */
interface RemovalNotice {
  /** What the removal deletes forever, as a sentence; empty if nothing, or until that's known. */
  notice: string;
  /** Returns whether the notice was shown when the button was pressed. If not, it is now, and has to be read first. */
  wasShown: () => Promise<boolean>;
}

/** Asks what moving entries to the trash deletes from it, while a dialog is open. */
export function useRemovalNotice(ids: readonly string[], open: boolean): RemovalNotice {
  const [notice, setNotice] = useState('');
  const asked = useRef<Promise<string>>(undefined);
  const list = ids.join();
  useEffect(() => {
    if (!open) return;
    let isOver = false;
    setNotice('');
    asked.current = askForNotice(list.split(','));
    void asked.current.then((sentence) => isOver || setNotice(sentence));
    return () => {
      isOver = true;
    };
  }, [open, list]);
  return { notice, wasShown: async () => (await asked.current) === notice };
}
