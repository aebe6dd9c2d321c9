import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import { entries } from '@/db/schema/entries';
import { AppError } from '@/lib/foundation/contract/errors';
import { type EntryRef, isCurrentRun, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import type { Transcription } from './contract';
import { deleteTranscriptParts } from './machine-transcript';
import { presentTranscription, transcriptionColumns } from './present';

const transcriptionStatement = preparedStatement((connection) =>
  connection
    .select(transcriptionColumns)
    .from(entries)
    .where(ownedEntry(sql.placeholder('userId'), sql.placeholder('entryId')))
    .prepare('transcription'),
);

/** Returns an entry's current transcript. @throws AppError `not_found` */
export async function getTranscription(userId: string, entryId: string): Promise<Transcription> {
  const [row] = await transcriptionStatement().execute({ userId, entryId });
  if (!row) throw new AppError('not_found');
  return presentTranscription(row);
}

/** What to tell the owner if the built-in engine heard another language than its own. A draft is no better then. */
export const NOT_ENGLISH =
  'This entry doesn’t seem to be in English. Connect a speech service to transcribe it.';

/** What to tell the owner once a transcription's run has used up its attempts, or is gone. */
export const TRANSCRIPT_FAILED = 'We couldn’t finish the transcript. Try again in a few minutes.';

/**
 * Marks a running transcription as failed, with a sentence for the user, and deletes the parts stored so far.
 * @param generation the run's; a run that has been superseded changes nothing
 * @returns whether it was running
 */
export async function failTranscript(
  { userId, entryId }: EntryRef,
  sentence: string,
  generation?: number,
): Promise<boolean> {
  return db().transaction((tx) => failTranscriptIn(tx, { userId, entryId }, sentence, generation));
}

/** Does the same as {@link failTranscript}, in a transaction. */
export async function failTranscriptIn(
  tx: Transaction,
  { userId, entryId }: EntryRef,
  sentence: string,
  generation?: number,
): Promise<boolean> {
  const failed = await tx
    .update(entries)
    .set({ transcriptStatus: 'failed', transcriptError: sentence, transcriptProgress: null })
    .where(
      and(
        eq(entries.id, entryId),
        eq(entries.userId, userId),
        eq(entries.transcriptStatus, 'processing'),
        generation === undefined ? undefined : isCurrentRun('transcript', generation),
      ),
    )
    .returning({ id: entries.id });
  if (failed.length === 0) return false;
  await deleteTranscriptParts(tx, entryId);
  return true;
}

/**
 * Requests a new transcription.
 * @throws AppError `not_found`, or `conflict` unless the last one failed or found no speech
 */
export async function retryTranscription(userId: string, entryId: string): Promise<Transcription> {
  const again = await db().transaction(async (tx) => {
    const [asked] = await tx
      .update(entries)
      .set({ transcriptStatus: 'processing', transcriptError: null, transcriptProgress: null })
      .where(
        and(
          ownedEntry(userId, entryId),
          inArray(entries.transcriptStatus, ['failed', 'no_speech']),
          // Also while only the first copy can be played.
          isNotNull(entries.videoKey),
        ),
      )
      .returning({ id: entries.id });
    if (!asked) return false;
    await startJobs(tx, 'transcript', [{ entryId, userId }]);
    return true;
  });
  const transcription = await getTranscription(userId, entryId);
  if (!again) throw new AppError('conflict', { message: 'There’s nothing to transcribe again.' });
  return transcription;
}
