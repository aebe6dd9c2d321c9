/**
 * The only module that uses localStorage and sessionStorage. Settings of the device are under fixed names. Everything
 * a person typed or did is under their account's id, and is deleted when the account signs out.
 */

/** What belongs to the device, whoever uses it, because it tells nothing about what they said or did. */
export type DeviceSetting =
  | 'daylight-countdown'
  | 'daylight-devices'
  | 'daylight-doubts-off'
  | 'daylight-last-prompt'
  | 'daylight-prompts-hidden'
  | 'daylight-shortcuts-off'
  | 'daylight-uploads-of';

const DEVICE_SETTINGS: Record<DeviceSetting, true> = {
  'daylight-countdown': true,
  'daylight-devices': true,
  'daylight-doubts-off': true,
  // One of the app's own prompts.
  'daylight-last-prompt': true,
  'daylight-prompts-hidden': true,
  'daylight-shortcuts-off': true,
  // The id of the account whose uploads were interrupted; the uploads themselves are in IndexedDB.
  'daylight-uploads-of': true,
};

/** The id of the account that this browser is signed in to. Every tab reads it, so that only that account's can write. */
const CURRENT_ACCOUNT_KEY = 'daylight-account';

/** How long an account's values last after they were last written: 30 days, in milliseconds. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;

/** `browser` is shared by all tabs; `tab` ends with the tab, and outlives a reload. */
export type StorageArea = 'browser' | 'tab';

interface StoredValue {
  savedAt: number;
  value: string;
}

/** Storage may be full or blocked; then nothing is kept. */
function tryOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const storageAreas = { browser: () => localStorage, tab: () => sessionStorage };

function write(storage: Storage, key: string, value: string | null): void {
  if (value === null) storage.removeItem(key);
  else storage.setItem(key, value);
}

export const getDeviceSetting = (name: DeviceSetting): string | null =>
  tryOrNull(() => localStorage.getItem(name));

/** Keeps a setting of this device; null removes it. */
export function setDeviceSetting(name: DeviceSetting, value: string | null): void {
  tryOrNull(() => write(localStorage, name, value));
}

const prefixOf = (account: string) => `daylight:${account}:`;

function parse(stored: string | null): StoredValue | null {
  const value = tryOrNull<unknown>(() => JSON.parse(stored ?? 'null'));
  const isValue =
    value instanceof Object && 'value' in value && 'savedAt' in value && typeof value.value === 'string';
  return isValue ? (value as StoredValue) : null;
}

/** A clock that was set back makes a value no older. */
const isFresh = ({ savedAt }: StoredValue): boolean => Math.abs(Date.now() - savedAt) < MAX_AGE;

/** Returns what an account keeps in this browser under a name, or null. */
export function getAccountValue(account: string, name: string, area: StorageArea = 'browser'): string | null {
  const stored = parse(tryOrNull(() => storageAreas[area]().getItem(prefixOf(account) + name)));
  return stored && isFresh(stored) ? stored.value : null;
}

/**
 * Keeps a text of an account for 30 days, or until it signs out; null removes it. A tab of an account that has signed
 * out since keeps nothing.
 */
export function setAccountValue(
  account: string,
  name: string,
  value: string | null,
  area: StorageArea = 'browser',
): void {
  tryOrNull(() => {
    if (localStorage.getItem(CURRENT_ACCOUNT_KEY) !== account) return;
    const stored = value === null ? null : JSON.stringify({ savedAt: Date.now(), value });
    write(storageAreas[area](), prefixOf(account) + name, stored);
  });
}

/** Removes everything of ours but settings of the device and what `account` wrote in the last 30 days. */
function clearArea(area: StorageArea, account: string | null): void {
  tryOrNull(() => {
    const storage = storageAreas[area]();
    for (const key of Object.keys(storage)) {
      if (!key.startsWith('daylight') || key === CURRENT_ACCOUNT_KEY || key in DEVICE_SETTINGS) continue;
      const isOwn = account !== null && key.startsWith(prefixOf(account));
      const stored = isOwn ? parse(storage.getItem(key)) : null;
      if (!stored || !isFresh(stored)) storage.removeItem(key);
    }
  });
}

/**
 * Removes what other accounts, earlier versions and a session that has ended left in this browser.
 * @param account the one that is signed in, or null
 * @param returning whether the session has run out and its owner is asked to log in again: the form they were filling
 *   in stays in the tab
 */
export function switchStorageAccount(account: string | null, returning = false): void {
  clearArea('browser', account);
  if (returning) return;
  tryOrNull(() => write(localStorage, CURRENT_ACCOUNT_KEY, account));
  clearArea('tab', account);
}

/** Removes every account's values, in this tab and in the others. For logging out. */
export const clearAccountStorage = (): void => switchStorageAccount(null);

/**
 * Empties this tab's storage when another tab signs out or signs in to a different account.
 * @returns stops watching
 */
export function watchAccount(account: string | null): () => void {
  const watch = ({ key, newValue }: StorageEvent) => {
    if (key === CURRENT_ACCOUNT_KEY && newValue !== account) clearArea('tab', null);
  };
  window.addEventListener('storage', watch);
  return () => window.removeEventListener('storage', watch);
}
