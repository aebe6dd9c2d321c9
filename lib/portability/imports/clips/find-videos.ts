import { and, asc, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imported-entries';
import { listed } from '@/lib/journal/entries/queries';
import type * as contract from './contract';

/**
 * Returns the account's entries whose original video has one of these sizes. The checksum is the real one, once it has been
 * computed, and until then what the browser claimed if it came with an archive.
 */
export async function findVideos(
  userId: string,
  { videos }: z.output<typeof contract.findVideos.body>,
): Promise<z.output<typeof contract.findVideos.response>> {
  const sizes = JSON.stringify(videos.map(({ size }) => size));
  const rows = await db()
    .select({
      size: entries.bytes,
      entryId: entries.id,
      title: entries.title,
      date: entries.date,
      // Each by its key, however many entries the planner expects.
      sha256: sql<string | null>`coalesce(
        (select sha256 from ${entryFiles} where entry_id = entries.id and name = 'source'),
        (select sha256 from ${importedEntries} where entry_id = entries.id))`,
      durationMs: entries.durationMs,
      recordedAt: sql`(select recorded_at from ${importedEntries} where entry_id = entries.id)`.mapWith(
        importedEntries.recordedAt,
      ),
    })
    .from(entries)
    .where(
      and(
        listed(userId),
        sql`${entries.bytes} = any(array(select jsonb_array_elements(${sizes}::jsonb)::bigint))`,
      ),
    )
    .orderBy(asc(entries.id));
  return {
    videos: rows.map(({ durationMs, recordedAt, ...row }) => ({
      ...row,
      duration: durationMs === null ? null : durationMs / 1000,
      recordedAt: recordedAt?.toISOString() ?? null,
    })),
  };
}
