import { getAccountValue, parseSaved, setAccountValue } from '@/components/ui/browser-storage';
import { call } from '@/lib/api/shared/client';
import type { Tag } from '@/lib/journal/tags/contract';

const NAME = 'tags';

/** Returns an account's tags as this device last saw them, for choosing some without a network; null if it hasn't. */
export const readSavedTags = (account: string): readonly Tag[] | null =>
  parseSaved(getAccountValue(account, NAME));

/**
 * Gets an account's tags, and saves them on this device.
 * @throws ApiError
 */
export async function fetchTags(account: string): Promise<readonly Tag[]> {
  const { categories } = await call('GET /category', { onExpired: 'throw' });
  setAccountValue(account, NAME, JSON.stringify(categories));
  return categories;
}
