import { askForSession } from '@/lib/api/shared/client';
import { deleteEveryKept, isLocked, listEveryKept, lockAllKept } from './kept-store';

/**
 * Protects what's kept on this device once its owner's session is over: deletes it if the session was ended elsewhere, and
 * locks it if the session expired, until its owner is back. Asks the server even after a 401, since another tab may have
 * just logged in. Recordings and edits that weren't sent stay: nobody else has them.
 * @param beforeDelete gets how many entries will be deleted
 * @throws ApiError if the server can't tell, and DOMException if this browser stores nothing
 */
export async function settleKept(beforeDelete?: (count: number) => Promise<void>): Promise<void> {
  const kept = await listEveryKept();
  if (kept.every(isLocked)) return;
  const session = await askForSession();
  if (session === 'expired') await lockAllKept();
  if (session !== 'ended') return;
  await beforeDelete?.(kept.length);
  await deleteEveryKept();
}
