import { askForSession } from '@/lib/api/shared/client';
import { deleteAllSavedEntries, isLocked, listAllSavedEntries, lockSavedEntries } from './saved-entry-store';

/**
 * Protects what's saved on this device once its owner's session is over: deletes it if the session was ended elsewhere, and
 * locks it if the session expired, until its owner is back. Asks the server even after a 401, since another tab may have
 * just logged in. Recordings and edits that weren't sent stay: nobody else has them.
 * @param beforeDelete gets how many entries will be deleted
 * @throws ApiError if the server can't tell, and DOMException if this browser stores nothing
 */
export async function protectSavedEntries(beforeDelete?: (count: number) => Promise<void>): Promise<void> {
  const saved = await listAllSavedEntries();
  if (saved.every(isLocked)) return;
  const session = await askForSession();
  if (session === 'expired') await lockSavedEntries();
  if (session !== 'ended') return;
  await beforeDelete?.(saved.length);
  await deleteAllSavedEntries();
}
