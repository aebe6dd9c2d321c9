import { sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';

/** More words than anybody says in three hours. To index a hundred thousand takes the database half a second. */
const MAX_INDEXED_AT_ONCE = 30_000;

/**
 * Keeps a transaction's changes of a transcript out of the search index if it's so long that nobody should wait for that. The
 * job that the correction starts indexes it.
 * @returns whether it does
 */
export async function deferIndexing(tx: Transaction, words: number): Promise<boolean> {
  if (words <= MAX_INDEXED_AT_ONCE) return false;
  await tx.execute(sql`select set_config('daylight.search_suspended', 'yes', true)`);
  return true;
}

/** Indexes what {@link deferIndexing} has left out of the index. Repeating it changes nothing. */
export async function indexDeferred({ userId, entryId }: EntryRef): Promise<void> {
  await db().execute(sql`
    select search_refresh(id) from entries where id = ${entryId} and user_id = ${userId} and (
      select jsonb_array_length(words) from transcripts where entry_id = id order by revision desc limit 1
    ) > ${MAX_INDEXED_AT_ONCE}`);
}
