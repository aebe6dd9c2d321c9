import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { assertRevisionFits } from '@/lib/journal/transcripts/prune';
import { toMilliseconds } from '@/lib/journal/transcripts/revisions';
import type * as contract from './contract';

/**
 * Adds a revision of the transcript to an entry that's being imported. One that's there stays.
 * @throws AppError `not_found` if the entry isn't an import, `conflict` if it's complete, `quota_reached`
 */
export async function importRevision(
  userId: string,
  entryId: string,
  { words, ...rest }: z.output<typeof contract.importRevision.body>,
): Promise<void> {
  const stored = words.map(([word, start, end, confidence]): StoredWord => {
    const times = [toMilliseconds(start), toMilliseconds(end)] as const;
    return confidence === null ? [word, ...times] : [word, ...times, confidence];
  });
  await db().transaction(async (tx) => {
    const [entry] = await tx
      .select({ videoStatus: entries.videoStatus })
      .from(entries)
      .innerJoin(importedEntries, eq(importedEntries.entryId, entries.id))
      .where(ownedEntry(userId, entryId))
      .for('update', { of: entries });
    if (!entry) throw new AppError('not_found');
    if (entry.videoStatus !== 'uploading') throw new AppError('conflict');
    await tx
      .insert(transcripts)
      .values({ ...rest, entryId, words: stored })
      .onConflictDoNothing();
    await assertRevisionFits(tx, entryId);
    await assertTextFits(tx, userId);
  });
}
