/**
 * The only module that uses localStorage and sessionStorage. Device settings have fixed names. Everything a person typed
 * or did is stored under their account's id and deleted when the account signs out.
 */

/** Settings that belong to the device, whoever uses it, because they reveal nothing about what anyone said or did. */
const DEVICE_SETTINGS = [
  'countdown',
  // Whether videos play in their small versions.
  'data-saver',
  'devices',
  // The id of an account whose changes wait to be sent. The changes themselves are in IndexedDB.
  'edits',
  // The id of the account that keeps entries on this device. The entries themselves are in IndexedDB.
  'kept-of',
  'live-words',
  'unsure-words-off',
  // Whether there are recordings on this device, whoever's. They're in IndexedDB.
  'recordings',
  'shortcuts-off',
  // In bytes per second, to say how long an import will take.
  'upload-speed',
  // The id of the account whose uploads were interrupted. The uploads themselves are in IndexedDB.
  'uploads-of',
] as const;

type DeviceSetting = `daylight-${(typeof DEVICE_SETTINGS)[number]}`;

/** The id of the account that this browser is signed in to. A tab of another account reads it and stops writing. */
const CURRENT_ACCOUNT_KEY = 'daylight-account';

/** How long an account's values last after they were last written, in milliseconds: 30 days. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;

/** `browser` is shared by all tabs. `tab` survives a reload and ends with the tab. */
type StorageArea = 'browser' | 'tab';

/** Returns null when storage is full or blocked. */
function tryOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Parses a value that was saved as JSON. Returns null if there's none or it's damaged. */
export const parseSaved = <T>(text: string | null): T | null =>
  tryOrNull(() => JSON.parse(text ?? 'null') as T | null);

const storageAreas = { browser: () => localStorage, tab: () => sessionStorage };

function write(storage: Storage, key: string, value: string | null): void {
  if (value === null) storage.removeItem(key);
  else storage.setItem(key, value);
}

export const getDeviceSetting = (name: DeviceSetting): string | null =>
  tryOrNull(() => localStorage.getItem(name));

/** Saves a setting of this device. Null removes it. */
export function setDeviceSetting(name: DeviceSetting, value: string | null): void {
  tryOrNull(() => write(localStorage, name, value));
}

/** Returns the account that this browser was last signed in to, if it hasn't logged out. */
export const currentAccount = (): string | null => tryOrNull(() => localStorage.getItem(CURRENT_ACCOUNT_KEY));

/** Returns whether this browser is still signed in to an account. False when storage is blocked. */
export const isCurrentAccount = (account: string): boolean => currentAccount() === account;

const prefixOf = (account: string) => `daylight:${account}:`;

/** Returns a stored value that's at most 30 days old, even if the clock was set back since; null if there's none. */
function readFresh(stored: string | null): string | null {
  const { savedAt = 0, value }: { savedAt?: number; value?: unknown } = JSON.parse(stored ?? '{}') ?? {};
  return typeof value === 'string' && Math.abs(Date.now() - savedAt) < MAX_AGE ? value : null;
}

/** Returns an account's value in this browser, or null. */
export const getAccountValue = (
  account: string,
  name: string,
  area: StorageArea = 'browser',
): string | null => tryOrNull(() => readFresh(storageAreas[area]().getItem(prefixOf(account) + name)));

/**
 * Saves an account's value for 30 days, or until the account signs out. Null removes it. Does nothing in a tab whose
 * account has signed out since.
 */
export function setAccountValue(
  account: string,
  name: string,
  value: string | null,
  area: StorageArea = 'browser',
): void {
  tryOrNull(() => {
    if (!isCurrentAccount(account)) return;
    const stored = value === null ? null : JSON.stringify({ savedAt: Date.now(), value });
    write(storageAreas[area](), prefixOf(account) + name, stored);
  });
}

/** Removes all of the app's values except device settings and what `account` wrote in the last 30 days. */
function clearArea(area: StorageArea, account: string | null): void {
  tryOrNull(() => {
    const storage = storageAreas[area]();
    for (const key of Object.keys(storage)) {
      const isSetting = DEVICE_SETTINGS.some((name) => key === `daylight-${name}`);
      if (!key.startsWith('daylight') || key === CURRENT_ACCOUNT_KEY || isSetting) continue;
      const isOwn = account !== null && key.startsWith(prefixOf(account));
      if (!isOwn || tryOrNull(() => readFresh(storage.getItem(key))) === null) storage.removeItem(key);
    }
  });
}

/**
 * Removes what other accounts, earlier versions, and an ended session left in this browser.
 * @param account the signed-in account; null for logging out, in this tab and all others
 * @param returning whether the session expired and its owner is logging in again; then the form they were filling in
 *   stays in the tab
 */
export function switchStorageAccount(account: string | null, returning = false): void {
  clearArea('browser', account);
  if (returning) return;
  tryOrNull(() => write(localStorage, CURRENT_ACCOUNT_KEY, account));
  clearArea('tab', account);
}

/**
 * Clears this tab's storage when another tab signs out or signs in to a different account.
 * @returns a function that stops watching
 */
export function watchAccount(account: string | null): () => void {
  const watch = ({ key, newValue }: StorageEvent) => {
    if (key === CURRENT_ACCOUNT_KEY && newValue !== account) clearArea('tab', null);
  };
  window.addEventListener('storage', watch);
  return () => window.removeEventListener('storage', watch);
}
