import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const KEY = 'daylight-recordings';

/** Returns whether this device may have recordings, of any account, without opening their database. */
export const mayHaveRecordings = (): boolean => getDeviceSetting(KEY) !== null;

/** Saves whether this device has recordings. */
export const setHasRecordings = (has: boolean): void => setDeviceSetting(KEY, has ? 'yes' : null);
