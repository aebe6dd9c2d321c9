import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast';
import type { Edit } from './edit';
import { listEdits, subscribeToEdits } from './edit-store';
import { type SendResult, sendEdits } from './send-edits';

/** How long to wait before sending again what the server couldn't take, in milliseconds. */
const RETRY_DELAY = 60_000;

/** Returns the account's edits on this device, oldest first; with an entry, only that one's. */
export function useEdits(owner: string, entryId?: string): readonly Edit[] {
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    const read = () =>
      void listEdits(owner, entryId).then(
        (found) => gone.signal.aborted || setEdits(found),
        () => {},
      );
    read();
    const unsubscribe = subscribeToEdits(read);
    // Another tab may have sent some.
    window.addEventListener('focus', read, { signal: gone.signal });
    return () => {
      gone.abort();
      unsubscribe();
    };
  }, [owner, entryId]);
  return edits;
}

/**
 * Sends the account's edits now, when the network is back, when the page gets the focus, and once a minute while the
 * server can't take them.
 * @param onResult called after each attempt
 * @returns a function that sends them now
 */
export function useEditSending(owner: string, onResult?: (result: SendResult) => void): () => void {
  const start = useRef<() => void>(null);
  const report = useEffectEvent((result: SendResult) => onResult?.(result));
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function send() {
      const result = await sendEdits(owner);
      if (gone.signal.aborted) return;
      report(result);
      clearTimeout(timer);
      if (result.waiting > 0 && navigator.onLine) timer = setTimeout(run, RETRY_DELAY);
    }
    // If the device's storage fails, they wait until it can be read again.
    const run = () => void send().catch(() => {});
    start.current = run;
    run();
    for (const event of ['online', 'focus']) window.addEventListener(event, run, { signal: gone.signal });
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [owner]);
  return () => start.current?.();
}

/** Waits until the device has stored an edit, and says if it can't. @returns whether it has */
export async function isStored(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    toast.error('We couldn’t save this on your device. Copy your text, free up some space, and try again.');
    return false;
  }
}
