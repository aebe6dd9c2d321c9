import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';

/**
 * Records how far a running transcription is. It never goes back, as passages may be heard out of order.
 * @param seconds from the start of the video
 */
export async function saveProgress({ userId, entryId }: EntryRef, seconds: number): Promise<void> {
  const share = sql`coalesce(${seconds}::float8 * 1000 / nullif(${entries.durationMs}, 0), 0)`;
  await db()
    .update(entries)
    .set({
      transcriptProgress: sql`greatest(${entries.transcriptProgress}, least(1, ${share}))`,
    })
    .where(and(ownedEntry(userId, entryId), eq(entries.transcriptStatus, 'processing')));
}
