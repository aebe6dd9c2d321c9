import { getAccountValue } from '@/components/ui/browser-storage';

/** The account's value with the name of the file whose import isn't finished. */
export const IMPORT_KEY = 'import';

/** Returns the name of the file whose import an earlier visit didn't finish; null if there's none. */
export const interruptedImport = (account: string): string | null => getAccountValue(account, IMPORT_KEY);

/** Returns the name of the Web Lock that the tab with an account's running import holds. */
export const importLock = (account: string): string => `daylight-import-${account}`;
