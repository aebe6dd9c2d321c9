import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import { loadCode } from '@/components/ui/load-code';

const KEY = 'daylight-kept-of';

/** The BroadcastChannel that tells all tabs that something has changed. */
export const CHANNEL = 'daylight-kept';

/** Returns the account whose entries are on this device, without opening their database; null if there are none. */
export const keptOwner = (): string | null => getDeviceSetting(KEY);

/** Saves whose entries are on this device; null if there are none. */
export const setKeptOwner = (owner: string | null): void => setDeviceSetting(KEY, owner);

/** Calls back whenever any tab changes what's kept. @returns a function that stops it */
export function watchKept(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', onChange);
  return () => channel.close();
}

/** Removes entries that were just deleted from this device. Loads nothing for people who keep none. */
export function removeDeletedKept(ids: readonly string[]): void {
  const owner = keptOwner();
  if (owner === null) return;
  void loadCode(() => import('./kept-store'))
    .then(({ deleteKept }) => deleteKept(owner, ids))
    .catch(() => {
      // They're removed when they're next compared with the server's.
    });
}
