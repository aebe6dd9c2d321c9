import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const KEY = 'daylight-kept-of';

/** The BroadcastChannel that tells all tabs that something has changed. */
export const CHANNEL = 'daylight-kept';

/** Returns the account whose entries are on this device, without opening their database; null if there are none. */
export const savedEntriesOwner = (): string | null => getDeviceSetting(KEY);

/** Saves whose entries are on this device; null if there are none. */
export const setSavedEntriesOwner = (owner: string | null): void => setDeviceSetting(KEY, owner);

/** Calls back whenever any tab changes what's saved. @returns a function that stops it */
export function watchSavedEntries(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', onChange);
  return () => channel.close();
}
