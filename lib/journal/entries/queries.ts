import { and, desc, eq, type Placeholder, sql } from 'drizzle-orm';
import { entries } from '@/db/schema/entries';

/**
 * Selects the entries that lists show: uploaded, and not in the trash. Must match the predicate of the index
 * `entries_newest` literally, since Postgres can't use the index if any of it is a parameter.
 */
export const listed = (userId: string | Placeholder) =>
  and(
    eq(entries.userId, userId),
    sql`${entries.trashedAt} is null and ${entries.videoStatus} <> 'uploading'`,
  );

export const newestFirst = [desc(entries.date), desc(entries.createdAt), desc(entries.id)];
