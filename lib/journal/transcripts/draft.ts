import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import type { Transcription, WordInput } from './contract';
import { assertInVideo, lockEntry, storedWords } from './revisions';
import { getTranscription, NOT_ENGLISH } from './service';

/** What the built-in engine is called where it runs in a browser. It understands only English. */
const DRAFT_ENGINE = 'moonshine-tiny (browser)';

/**
 * Stores what the browser heard during the recording as the original, until the server's job publishes its own. Changes
 * nothing if there's a transcript already, from the server or from a person, if the server heard another language, and if
 * nothing was heard. The row's status stays that of the server's job, which goes on.
 * @param logProbability the mean natural log-probability of the engine's tokens
 * @throws AppError `not_found`, `quota_reached`, or `validation_failed` if a word lies past the end of the video
 */
export async function saveDraft(
  userId: string,
  entryId: string,
  sent: readonly WordInput[],
  logProbability?: number,
): Promise<Transcription> {
  const words = storedWords(sent);
  await db().transaction(async (tx) => {
    const { durationMs, transcriptStatus, transcriptError } = await lockEntry(tx, userId, entryId);
    const isMissing = transcriptStatus === 'processing' || transcriptStatus === 'failed';
    if (!isMissing || transcriptError === NOT_ENGLISH || words.length === 0) return;
    assertInVideo(words, durationMs);
    const values = { words, engine: DRAFT_ENGINE, logProbability: logProbability ?? null, draft: true };
    await tx
      .insert(transcripts)
      .values({ entryId, revision: 0, ...values })
      .onConflictDoUpdate({
        target: [transcripts.entryId, transcripts.revision],
        set: values,
        setWhere: eq(transcripts.draft, true),
      });
    await tx
      .update(entries)
      .set({ language: sql`coalesce(${entries.language}, 'en')` })
      .where(eq(entries.id, entryId));
    await assertTextFits(tx, userId);
  });
  return getTranscription(userId, entryId);
}

/**
 * Deletes an entry's draft and its language, if it has one.
 * @returns false if a person has written or edited the transcript
 * @throws AppError `not_found`
 */
export async function deleteDraft({ userId, entryId }: EntryRef): Promise<boolean> {
  return db().transaction(async (tx) => {
    const { transcriptStatus } = await lockEntry(tx, userId, entryId);
    if (transcriptStatus === 'completed') return false;
    const deleted = await tx
      .delete(transcripts)
      .where(and(eq(transcripts.entryId, entryId), eq(transcripts.draft, true)))
      .returning({ entryId: transcripts.entryId });
    if (deleted.length > 0) await tx.update(entries).set({ language: null }).where(eq(entries.id, entryId));
    return true;
  });
}
