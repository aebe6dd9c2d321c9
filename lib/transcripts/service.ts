import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import {
  entries,
  type StoredWord,
  transcriptParts,
  transcriptPassages,
  transcripts,
} from '@/db/schema/entries';
import { AppError } from '@/lib/contract/errors';
import { type EntryRef, isCurrentRun, startJobs } from '@/lib/outbox/entry-jobs';
import { withSafeMessage } from '@/lib/safe-error';
import type { Transcription } from './contract';
import { replacePlaceholderTitle } from './placeholder-title';
import { presentTranscription, transcriptionColumns } from './present';

/** What the speech engine heard. Times are seconds from the start of the video. */
export interface MachineTranscript {
  words: StoredWord[];
  /** BCP 47, or null while unknown. */
  language: string | null;
  estimated: boolean;
  engine: string | null;
  /** The mean natural log-probability of the engine's tokens, and how many there are, if it reports them. */
  logProbability?: number | null;
  tokens?: number | null;
}

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

/**
 * Stores the transcript of one part of an entry's audio, replacing that of an earlier attempt.
 * @param part counts from 0
 * @returns false if the entry is in the trash or gone
 */
export async function saveTranscriptPart(
  { userId, entryId }: { userId: string; entryId: string },
  part: number,
  { words, language, estimated, engine, logProbability = null, tokens = null }: MachineTranscript,
): Promise<boolean> {
  const values = sql`${part}::integer, ${JSON.stringify(words)}::jsonb, ${language}::text, ${estimated}::boolean,
    ${engine}::text, ${logProbability}::real, ${tokens}::integer`;
  // The lock makes a purge wait, so that it deletes this row too instead of making the insert fail.
  const saved = await db().execute(sql`
    insert into ${transcriptParts} (entry_id, part, words, language, estimated, engine, log_probability, tokens)
    select id, ${values} from ${entries} where ${ownedEntry(userId, entryId)} for key share
    on conflict (entry_id, part) do update set
      words = excluded.words, language = excluded.language,
      estimated = excluded.estimated, engine = excluded.engine,
      log_probability = excluded.log_probability, tokens = excluded.tokens
    returning part`);
  return saved.length > 0;
}

/** Deletes the parts of an entry's transcript and their passages. @returns the parts, in order */
const deleteTranscriptParts = async (tx: Transaction, entryId: string) => {
  await tx.delete(transcriptPassages).where(eq(transcriptPassages.entryId, entryId));
  const parts = await tx.delete(transcriptParts).where(eq(transcriptParts.entryId, entryId)).returning();
  return parts.sort((a, b) => a.part - b.part);
};

/**
 * Combines the first `count` parts of an entry's transcript into the engine's original, and deletes all parts. No
 * words means that nobody spoke. Keeps a transcript that the user wrote or corrected in the meantime, and a draft that
 * the browser was surer of, which is the original from then on.
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
      logProbability: meanLogProbability(parts),
    });
    await replacePlaceholderTitle(tx, entryId);
  });
}

/** Returns the mean of the parts' log-probabilities by their tokens; null if a part that has words has none. */
function meanLogProbability(parts: readonly (typeof transcriptParts.$inferSelect)[]): number | null {
  if (parts.some(({ words, logProbability }) => words.length > 0 && logProbability === null)) return null;
  const tokens = parts.reduce((sum, part) => sum + (part.tokens ?? 0), 0);
  const sum = parts.reduce((total, part) => total + (part.logProbability ?? 0) * (part.tokens ?? 0), 0);
  return tokens > 0 ? sum / tokens : null;
}

/**
 * Returns whether what the engine heard must not replace the original: a person has edited that, or it's a draft that
 * the browser was surer of.
 */
async function keepsOriginal(
  tx: Transaction,
  entryId: string,
  { words, logProbability }: MachineTranscript,
): Promise<boolean> {
  const revisions = await tx
    .select({
      revision: transcripts.revision,
      draft: transcripts.draft,
      logProbability: transcripts.logProbability,
    })
    .from(transcripts)
    .where(eq(transcripts.entryId, entryId));
  const original = revisions.find(({ revision }) => revision === 0);
  if (!original) return false;
  if (revisions.length > 1 || words.length === 0) return true;
  // Services that don't report it have larger models than a browser.
  const isSurer =
    (original.logProbability ?? Number.NEGATIVE_INFINITY) >= (logProbability ?? Number.POSITIVE_INFINITY);
  return original.draft && isSurer;
}

async function saveMachineTranscript(
  tx: Transaction,
  entryId: string,
  heard: MachineTranscript,
): Promise<void> {
  const { words, estimated, engine, language, logProbability = null } = heard;
  const isKept = await keepsOriginal(tx, entryId, heard);
  await tx
    .update(entries)
    .set({
      transcriptStatus:
        words.length > 0
          ? 'completed'
          : sql`case when exists (select 1 from ${transcripts} where ${transcripts.entryId} = ${entryId})
              then 'completed' else 'no_speech' end::transcript_status`,
      transcriptError: null,
      transcriptProgress: null,
      ...(!isKept && { language }),
    })
    .where(eq(entries.id, entryId));
  if (isKept) {
    await tx
      .update(transcripts)
      .set({ draft: false })
      .where(and(eq(transcripts.entryId, entryId), eq(transcripts.draft, true)));
  } else if (words.length > 0) {
    const values = { words, estimated, engine, logProbability, draft: false };
    await tx
      .insert(transcripts)
      .values({ entryId, revision: 0, ...values })
      .onConflictDoUpdate({
        target: [transcripts.entryId, transcripts.revision],
        set: { ...values, createdAt: sql`now()` },
      });
  }
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
