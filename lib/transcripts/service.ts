import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries, type StoredWord, transcripts } from '@/db/schema/entries';
import { ownedEntry } from '@/lib/entries/queries';
import { getEntry } from '@/lib/entries/service';
import { AppError } from '@/lib/http/errors';
import { enqueueEvent } from '@/lib/outbox/service';
import type { Transcription } from './contract';

/**
 * Keeps what the speech service has heard as the machine's original; no words mean that nobody spoke.
 * A transcript that a person has written or corrected meanwhile is left alone.
 */
export async function saveMachineTranscript(
  entryId: string,
  heard: { words: StoredWord[]; language: string | null; estimated: boolean; engine: string | null },
): Promise<void> {
  await db().transaction(async (tx) => {
    const [entry] = await tx
      .update(entries)
      .set({
        transcriptStatus:
          heard.words.length > 0
            ? 'completed'
            : sql`case when exists (select 1 from ${transcripts} where ${transcripts.entryId} = ${entryId})
                then 'completed' else 'no_speech' end::transcript_status`,
        transcriptError: null,
        language: heard.language,
      })
      .where(and(eq(entries.id, entryId), isNull(entries.trashedAt)))
      .returning({ id: entries.id });
    if (!entry || heard.words.length === 0) return;
    const { words, estimated, engine } = heard;
    await tx
      .insert(transcripts)
      .values({ entryId, revision: 0, words, estimated, engine })
      .onConflictDoUpdate({
        target: [transcripts.entryId, transcripts.revision],
        set: { words, estimated, engine, createdAt: sql`now()` },
      });
  });
}

/** Ends a transcription that is under way with a sentence for the person. */
export async function failTranscript(entryId: string, sentence: string): Promise<void> {
  await db()
    .update(entries)
    .set({ transcriptStatus: 'failed', transcriptError: sentence })
    .where(and(eq(entries.id, entryId), eq(entries.transcriptStatus, 'processing')));
}

/**
 * Asks for the words again.
 * @throws AppError `not_found`, or `conflict` unless it has failed or heard nothing
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
          eq(entries.videoStatus, 'ready'),
        ),
      )
      .returning({ at: sql<string>`extract(epoch from clock_timestamp())::text` });
    if (!asked) return false;
    await enqueueEvent(tx, `transcript-${entryId}-${asked.at}`, {
      name: 'entry/transcript.wanted',
      data: { entryId, userId },
    });
    return true;
  });
  const { transcription } = await getEntry(userId, entryId);
  if (!again) throw new AppError('conflict', { message: 'There is nothing to transcribe again.' });
  return transcription;
}
