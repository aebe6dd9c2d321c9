import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries, type StoredWord, transcriptParts, transcripts } from '@/db/schema/entries';
import { AppError } from '@/lib/contract/errors';
import { type EntryRef, isCurrentRun, startJobs } from '@/lib/outbox/entry-jobs';
import { withSafeMessage } from '@/lib/safe-error';
import type { Transcription } from './contract';
import { presentTranscription, transcriptionColumns } from './present';

/** What the speech service heard. Times are seconds from the start of the video. */
interface MachineTranscript {
  words: StoredWord[];
  /** BCP 47, or null while unknown. */
  language: string | null;
  estimated: boolean;
  engine: string | null;
}

/** Returns an entry's current transcript. @throws AppError `not_found` */
export async function getTranscription(userId: string, entryId: string): Promise<Transcription> {
  const [row] = await db()
    .select(transcriptionColumns)
    .from(entries)
    .where(ownedEntry(userId, entryId))
    .prepare('transcription')
    .execute();
  if (!row) throw new AppError('not_found');
  return presentTranscription(row);
}

/**
 * Stores the transcript of one part of an entry's audio, replacing that of an earlier attempt.
 * @param part counts from 0
 * @returns false if the entry is in the trash or gone
 */
export async function saveTranscriptPart(
  { userId, entryId }: { userId: string; entryId: string },
  part: number,
  { words, language, estimated, engine }: MachineTranscript,
): Promise<boolean> {
  const values = sql`${part}::integer, ${JSON.stringify(words)}::jsonb, ${language}::text, ${estimated}::boolean, ${engine}::text`;
  // The lock makes a purge wait, so that it deletes this row too instead of making the insert fail.
  const saved = await db().execute(sql`
    insert into ${transcriptParts} (entry_id, part, words, language, estimated, engine)
    select id, ${values} from ${entries} where ${ownedEntry(userId, entryId)} for key share
    on conflict (entry_id, part) do update set
      words = excluded.words, language = excluded.language,
      estimated = excluded.estimated, engine = excluded.engine
    returning part`);
  return saved.length > 0;
}

/** Deletes the parts of an entry's transcript, in order, and returns them. */
const deleteTranscriptParts = async (tx: Transaction, entryId: string) => {
  const parts = await tx.delete(transcriptParts).where(eq(transcriptParts.entryId, entryId)).returning();
  return parts.sort((a, b) => a.part - b.part);
};

/**
 * Combines the first `count` parts of an entry's transcript into the engine's original, and deletes all parts. No
 * words means that nobody spoke. Keeps a transcript that the user wrote or corrected in the meantime.
 * @throws Error if a part is missing while the transcript is still being made
 */
export async function publishTranscriptParts(
  { userId, entryId }: { userId: string; entryId: string },
  count: number,
): Promise<void> {
  await db().transaction(async (tx) => {
    const [entry] = await tx
      .select({ status: entries.transcriptStatus })
      .from(entries)
      .where(ownedEntry(userId, entryId))
      .for('update');
    if (!entry) return;
    const parts = (await deleteTranscriptParts(tx, entryId)).filter(({ part }) => part < count);
    if (parts.length < count) {
      // Another run of the same job has already published them.
      if (entry.status !== 'processing') return;
      throw withSafeMessage(new Error(`${count - parts.length} of ${count} transcript parts are missing`));
    }
    await saveMachineTranscript(tx, entryId, {
      words: parts.flatMap(({ words }) => words),
      language: parts.find(({ language }) => language)?.language ?? null,
      estimated: parts.some(({ estimated }) => estimated),
      engine: parts[0]?.engine ?? null,
    });
  });
}

async function saveMachineTranscript(
  tx: Transaction,
  entryId: string,
  heard: MachineTranscript,
): Promise<void> {
  const { words, estimated, engine, language } = heard;
  await tx
    .update(entries)
    .set({
      transcriptStatus:
        words.length > 0
          ? 'completed'
          : sql`case when exists (select 1 from ${transcripts} where ${transcripts.entryId} = ${entryId})
              then 'completed' else 'no_speech' end::transcript_status`,
      transcriptError: null,
      language,
    })
    .where(eq(entries.id, entryId));
  if (words.length === 0) return;
  await tx
    .insert(transcripts)
    .values({ entryId, revision: 0, words, estimated, engine })
    .onConflictDoUpdate({
      target: [transcripts.entryId, transcripts.revision],
      set: { words, estimated, engine, createdAt: sql`now()` },
    });
}

/** What to tell the owner once a transcription's run has used up its attempts, or is gone. */
export const TRANSCRIPT_FAILED = 'We couldn’t finish the transcript. Try again in a few minutes.';

/**
 * Marks a running transcription as failed, with a sentence for the user, and deletes the parts stored so far.
 * @param generation the run's; a run that has been superseded changes nothing
 */
export async function failTranscript(
  { userId, entryId }: EntryRef,
  sentence: string,
  generation?: number,
): Promise<void> {
  await db().transaction((tx) => failTranscriptIn(tx, { userId, entryId }, sentence, generation));
}

/** Does the same as {@link failTranscript}, in a transaction. */
export async function failTranscriptIn(
  tx: Transaction,
  { userId, entryId }: EntryRef,
  sentence: string,
  generation?: number,
): Promise<void> {
  const failed = await tx
    .update(entries)
    .set({ transcriptStatus: 'failed', transcriptError: sentence })
    .where(
      and(
        eq(entries.id, entryId),
        eq(entries.userId, userId),
        eq(entries.transcriptStatus, 'processing'),
        generation === undefined ? undefined : isCurrentRun('transcript', generation),
      ),
    )
    .returning({ id: entries.id });
  if (failed.length > 0) await deleteTranscriptParts(tx, entryId);
}

/**
 * Requests a new transcription.
 * @throws AppError `not_found`, or `conflict` unless the last one failed or found no speech
 */
export async function retryTranscription(userId: string, entryId: string): Promise<Transcription> {
  const again = await db().transaction(async (tx) => {
    const [asked] = await tx
      .update(entries)
      .set({ transcriptStatus: 'processing', transcriptError: null })
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
