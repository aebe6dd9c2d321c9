import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { hiddenMemories } from '@/db/schema/memories';
import { lockPlan } from '@/lib/billing/plans/service';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { addVocabulary } from '@/lib/journal/transcripts/vocabulary';
import { assertOpen } from '@/lib/portability/imports/history/service';
import type * as contract from './contract';
import { addMissingTags, lockTagsByName } from './tags';

/** Adds an archive's tags, learned words, and hidden tags and dates. Changes nothing that the account has. @throws AppError `quota_reached`; `not_found` or `conflict` by {@link assertOpen} */
export async function importJournal(
  userId: string,
  journal: z.output<typeof contract.importJournal.body>,
): Promise<void> {
  const { import_id: importId, exportedAt, tags, vocabulary, hiddenTags, hiddenDates } = journal;
  await db().transaction(async (tx) => {
    // One import at a time, so that none waits for tags of another in a different order.
    await lockPlan(tx, userId);
    await assertOpen(userId, importId, tx);
    await addMissingTags(tx, userId, importId, tags);
    await addVocabulary(tx, { userId, importId }, vocabulary, exportedAt);
    const names = hiddenTags.map(({ name }) => name);
    const ids = await lockTagsByName(tx, userId, names);
    const hidden = [
      ...hiddenTags.flatMap(({ name, createdAt }) => {
        const tagId = ids.get(name);
        return tagId ? [{ tagId, createdAt }] : [];
      }),
      ...hiddenDates.map(({ date, createdAt }) => ({ date: toIso(date), createdAt })),
    ];
    if (hidden.length > 0) {
      await tx
        .insert(hiddenMemories)
        .values(hidden.map((one) => ({ id: uuidv7(), userId, importId, ...one })))
        .onConflictDoNothing();
    }
    if (tags.length > 0) await assertTextFits(tx, userId, 'tags');
  });
}
