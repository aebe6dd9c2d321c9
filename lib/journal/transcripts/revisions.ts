import { randomUUID } from 'node:crypto';
import { and, desc, eq, getTableColumns, inArray, max, or, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { AppError } from '@/lib/foundation/contract/errors';
import { runInSlices } from '@/lib/foundation/shared/steps';
import type { Revision, Transcription, Word, WordInput } from './contract';
import { deferIndexing, requestLearning } from './learn';
import { pruneForCorrection, pruneSurplus } from './prune';
import { revisionWords, wordCount } from './revision-words';
import { getTranscription, presentTranscription } from './service';
import { presentWords } from './shared/word-list';
import { isStoredAlike, withConfidence } from './unchanged-words';

/** Returns seconds as they're stored, with at most 3 decimals. */
export const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** How far words may extend past the end of the video, in milliseconds: engines round up. */
const MAX_OVERRUN_MS = 1000;

/** Returns words as they're stored. */
export const storedWords = (sent: readonly WordInput[]): StoredWord[] =>
  sent.map(({ word, startTime, endTime }) => [word, toMilliseconds(startTime), toMilliseconds(endTime)]);

/** @throws AppError `validation_failed` if a word lies past the end of the video, if its length is known yet */
export function assertInVideo(words: readonly StoredWord[], durationMs: number | null): void {
  const last = words.reduce((latest, [, , end]) => Math.max(latest, end), 0);
  if (durationMs === null || last * 1000 <= durationMs + MAX_OVERRUN_MS) return;
  const message = 'A word’s time is past the end of the video.';
  throw new AppError('validation_failed', { message, fields: { transcription: message } });
}

/** Locks an entry, so that its transcript can't change meanwhile. @throws AppError `not_found` */
export async function lockEntry(tx: Transaction, userId: string, entryId: string) {
  const [entry] = await tx
    .select({
      durationMs: entries.durationMs,
      language: entries.language,
      transcriptStatus: entries.transcriptStatus,
      transcriptError: entries.transcriptError,
    })
    .from(entries)
    .where(ownedEntry(userId, entryId))
    .for('update');
  if (!entry) throw new AppError('not_found');
  return entry;
}

/** The state of an entry whose transcript a person has corrected. */
const COMPLETED = { transcriptStatus: 'completed', transcriptError: null, transcriptProgress: null } as const;

async function markCompleted(tx: Transaction, entryId: string): Promise<void> {
  await tx.update(entries).set(COMPLETED).where(eq(entries.id, entryId));
}

/**
 * Stores corrected words as a new revision. Storing the same words again changes nothing. Old revisions go if the account
 * has no space for it.
 * @param basedOn the revision that was corrected, null if there was none; if omitted, the current one
 * @throws AppError `not_found`, `validation_failed` if a word lies past the end of the video, `conflict` if the words
 * have changed since `basedOn`, `quota_reached` by {@link pruneForCorrection}
 */
export async function saveTranscription(
  userId: string,
  entryId: string,
  sent: WordInput[],
  basedOn?: number | null,
): Promise<Transcription> {
  const plain = storedWords(sent);
  const saved = await db().transaction(async (tx) => {
    const { durationMs, language } = await lockEntry(tx, userId, entryId);
    const [current] = await tx
      .select({
        revision: transcripts.revision,
        words: transcripts.words,
        estimated: transcripts.estimated,
      })
      .from(transcripts)
      .where(eq(transcripts.entryId, entryId))
      .orderBy(desc(transcripts.revision))
      .limit(1);
    const words = await runInSlices(withConfidence(plain, current?.words ?? []));
    if (current && isStoredAlike(current.words, words)) return null;
    if (basedOn !== undefined && basedOn !== (current?.revision ?? null)) {
      throw new AppError('conflict', {
        message:
          'This transcript was changed elsewhere, so we didn’t save over it. Reload the page to see the latest version.',
      });
    }
    assertInVideo(words, durationMs);
    // Revision 0 is reserved for the engine.
    const revision = (current?.revision ?? 0) + 1;
    const isDeferred = await deferIndexing(tx, words.length);
    await tx.insert(transcripts).values({ entryId, revision, words, estimated: current?.estimated ?? false });
    await markCompleted(tx, entryId);
    if (current || isDeferred) await requestLearning(tx, { userId, entryId }, current?.revision ?? 0);
    await pruneForCorrection(tx, { userId, entryId });
    return { ...COMPLETED, language, transcript: { revision, words, draft: false } };
  });
  // What was stored isn't read again: it may be a hundred thousand words.
  return saved ? presentTranscription(saved) : getTranscription(userId, entryId);
}

/** Returns a transcript's revisions, current one first. @throws AppError `not_found` */
export async function listRevisions(userId: string, entryId: string): Promise<Revision[]> {
  const rows = await db()
    .select({
      revision: transcripts.revision,
      createdAt: transcripts.createdAt,
      words: wordCount,
    })
    .from(entries)
    .leftJoin(transcripts, eq(transcripts.entryId, entries.id))
    .where(ownedEntry(userId, entryId))
    .orderBy(desc(transcripts.revision));
  if (rows.length === 0) throw new AppError('not_found');
  return rows.flatMap(({ revision, createdAt, words }) =>
    revision === null || createdAt === null ? [] : [{ revision, createdAt: createdAt.toISOString(), words }],
  );
}

/** Returns a revision with its words. @throws AppError `not_found` */
export async function readRevision(
  userId: string,
  entryId: string,
  revision: number,
): Promise<Omit<Revision, 'words'> & { words: Word[] }> {
  const [row] = await db()
    .select({ createdAt: transcripts.createdAt, words: revisionWords })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(and(ownedEntry(userId, entryId), eq(transcripts.revision, revision)));
  if (!row) throw new AppError('not_found');
  return { revision, createdAt: row.createdAt.toISOString(), words: presentWords(row.words) };
}

const { words: _, ...otherColumns } = getTableColumns(transcripts);

/** A row that has words, without reading them. */
const holderColumns = { ...otherColumns, count: sql<number>`jsonb_array_length(${transcripts.words})` };

/** Finds the row that has a revision's words: its own, or the newest of those that share them. */
async function lockedHolder(tx: Transaction, entryId: string, revision: number) {
  const isWanted = and(eq(transcripts.entryId, entryId), eq(transcripts.revision, revision));
  const sharesWords = inArray(
    transcripts.sharedWords,
    tx.select({ id: transcripts.sharedWords }).from(transcripts).where(isWanted),
  );
  const [holder] = await tx
    .select(holderColumns)
    .from(transcripts)
    .where(or(isWanted, and(eq(transcripts.entryId, entryId), sharesWords)))
    .orderBy(desc(transcripts.revision))
    .limit(1);
  return holder;
}

/**
 * Makes words that are stored already the newest revision, under the entry's lock. Their row gets the new number, so that
 * nothing is copied, and another one without words takes its place.
 */
async function moveToNewest(
  tx: Transaction,
  holder: SelectResultFields<typeof otherColumns>,
  current: number,
): Promise<void> {
  const { entryId, revision, sharedWords } = holder;
  const shared = sharedWords ?? randomUUID();
  await tx
    .update(transcripts)
    .set({
      ...{ revision: current + 1, sharedWords: shared, createdAt: sql`now()` },
      ...{ draft: false, logProbability: null },
    })
    .where(and(eq(transcripts.entryId, entryId), eq(transcripts.revision, revision)));
  await tx.insert(transcripts).values({ ...holder, sharedWords: shared, words: [] });
}

/**
 * Restores an earlier revision as a new one, so nothing is lost. Restoring the words that are current changes nothing.
 * @throws AppError `not_found`
 */
export async function restoreRevision(
  userId: string,
  entryId: string,
  revision: number,
): Promise<Transcription> {
  await db().transaction(async (tx) => {
    await lockEntry(tx, userId, entryId);
    const wanted = await lockedHolder(tx, entryId, revision);
    const [newest] = await tx
      .select({ revision: max(transcripts.revision) })
      .from(transcripts)
      .where(eq(transcripts.entryId, entryId));
    const current = newest?.revision ?? null;
    if (!wanted || current === null) throw new AppError('not_found');
    const { count, ...holder } = wanted;
    if (current === holder.revision) return;
    await deferIndexing(tx, count);
    await moveToNewest(tx, holder, current);
    await markCompleted(tx, entryId);
    await requestLearning(tx, { userId, entryId }, current);
    await pruneSurplus(tx, { userId, entryId });
  });
  return getTranscription(userId, entryId);
}
