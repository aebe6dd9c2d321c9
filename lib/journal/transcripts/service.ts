import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import { entries } from '@/db/schema/entries';
import type { transcripts } from '@/db/schema/transcripts';
import { AppError } from '@/lib/foundation/contract/errors';
import { type EntryRef, isCurrentRun, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import type { Transcription } from './contract';
import { deleteTranscriptParts } from './machine-transcript';
import { presentWords } from './shared/word-list';

/** What's shown of the latest revision. */
type CurrentTranscript = Pick<typeof transcripts.$inferSelect, 'revision' | 'words' | 'draft'>;

const currentTranscript = sql<CurrentTranscript | null>`(
  select json_build_object('revision', transcripts.revision, 'words', transcripts.words,
    'draft', transcripts.draft)
  from transcripts where transcripts.entry_id = entries.id
  order by transcripts.revision desc limit 1)`.as('transcript');

/** The columns of an entry that {@link presentTranscription} needs. */
export const transcriptionColumns = {
  transcriptStatus: entries.transcriptStatus,
  transcriptError: entries.transcriptError,
  transcriptProgress: entries.transcriptProgress,
  language: entries.language,
  transcript: currentTranscript,
};

type TranscriptionRow = SelectResultFields<typeof transcriptionColumns>;

/**
 * Returns an entry's current transcript and its status as the API returns them. The row's status is that of the
 * server's job; a draft can be read whatever becomes of it.
 */
export function presentTranscription(row: TranscriptionRow): Transcription {
  const { transcript, transcriptStatus, transcriptProgress } = row;
  const draft = transcript?.draft ?? false;
  return {
    words: presentWords(transcript?.words ?? []),
    status: draft ? 'completed' : transcriptStatus,
    language: row.language,
    error: draft ? null : row.transcriptError,
    revision: transcript?.revision ?? null,
    draft,
    ...(transcriptStatus === 'processing' && { progress: transcriptProgress ?? 0 }),
  };
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

/** What to tell the owner if the built-in engine heard another language than its own. A draft is no better then. */
export const NOT_ENGLISH =
  'This entry doesn’t seem to be in English. Connect a speech service to transcribe it.';

/** What to tell the owner once a transcription's run has used up its attempts, or is gone. */
export const TRANSCRIPT_FAILED = 'We couldn’t finish the transcript. Try again in a few minutes.';

/**
 * Marks a running transcription as failed, with a sentence for the user, and deletes the parts stored so far.
 * @param options.generation the run's; a run that has been superseded changes nothing
 */
export async function failTranscript(
  { userId, entryId }: EntryRef,
  sentence: string,
  { generation, tx: outer }: { generation?: number; tx?: Transaction } = {},
): Promise<void> {
  const fail = async (tx: Transaction) => {
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
    if (failed.length > 0) await deleteTranscriptParts(tx, entryId);
  };
  await (outer ? fail(outer) : db().transaction(fail));
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
