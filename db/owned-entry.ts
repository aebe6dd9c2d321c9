import { and, eq, isNull, type Placeholder, type SQL } from 'drizzle-orm';
import { entries } from './schema/entries';

/**
 * Returns the condition for every query that reads or changes one entry: it belongs to this account and isn't in the
 * trash.
 */
export function ownedEntry(userId: string | Placeholder, entryId: string | Placeholder): SQL | undefined {
  return and(eq(entries.id, entryId), eq(entries.userId, userId), isNull(entries.trashedAt));
}
