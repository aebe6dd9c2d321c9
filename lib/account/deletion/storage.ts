import { abortMultipartsUnder } from '@/lib/clients/multipart';
import { listObjects } from '@/lib/clients/storage-listing';
import { deletePrefix } from '@/lib/clients/storage-objects';

/** Everything of an account in storage lies below these. */
const prefixesOf = (userId: string) => [`entries/${userId}/`, `exports/${userId}/`];

/** Returns how many objects an account has in storage, and their bytes. */
export async function measureAccountObjects(userId: string): Promise<{ objects: number; bytes: number }> {
  let objects = 0;
  let bytes = 0;
  for (const prefix of prefixesOf(userId)) {
    for await (const page of listObjects(prefix)) {
      objects += page.length;
      bytes += page.reduce((sum, { size }) => sum + size, 0);
    }
  }
  return { objects, bytes };
}

/** Deletes everything that an account has in storage, including parts of unfinished uploads. @returns how many objects */
export async function deleteAccountObjects(userId: string): Promise<number> {
  let deleted = 0;
  for (const prefix of prefixesOf(userId)) {
    await abortMultipartsUnder(prefix);
    deleted += await deletePrefix(prefix);
  }
  return deleted;
}
