import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { type StoredWord, transcriptParts, transcriptPassages, transcripts } from '@/db/schema/transcripts';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { replacePlaceholderTitle } from './placeholder-title';

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

/**
 * Stores the transcript of one part of an entry's audio, replacing that of an earlier attempt.
 * @param part counts from 0
 * @returns false if the entry is in the trash or gone
 */
export async function saveTranscriptPart(
  { userId, entryId }: EntryRef,
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

/** What the built-in engine heard in a passage. Words' times count from the start of the video, in seconds. */
export type StoredPassage = Omit<typeof transcriptPassages.$inferSelect, 'entryId'>;

const { entryId: ofEntry, ...passageColumns } = getTableColumns(transcriptPassages);

/**
 * Stores what was heard in a passage as soon as it's known, so that a transcription that's killed goes on after it.
 * @returns false if the entry is in the trash or gone
 */
export async function savePassage({ userId, entryId }: EntryRef, passage: StoredPassage): Promise<boolean> {
  const { part, startMs, endMs, words, voiced, logProbability, tokens } = passage;
  const values = sql`${part}::integer, ${startMs}::integer, ${endMs}::integer, ${JSON.stringify(words)}::jsonb,
    ${voiced}::real, ${logProbability}::real, ${tokens}::integer`;
  // The lock makes a purge wait, so that it deletes this row too instead of making the insert fail.
  const saved = await db().execute(sql`
    insert into ${transcriptPassages} (entry_id, part, start_ms, end_ms, words, voiced, log_probability, tokens)
    select id, ${values} from ${entries} where ${ownedEntry(userId, entryId)} for key share
    on conflict (entry_id, part, start_ms) do update set
      end_ms = excluded.end_ms, words = excluded.words, voiced = excluded.voiced,
      log_probability = excluded.log_probability, tokens = excluded.tokens
    returning part`);
  return saved.length > 0;
}

/** Returns the passages heard so far, in order: all of them, or one part's. */
export async function readPassages({ userId, entryId }: EntryRef, part?: number): Promise<StoredPassage[]> {
  return db()
    .select(passageColumns)
    .from(transcriptPassages)
    .innerJoin(entries, eq(entries.id, ofEntry))
    .where(
      and(ownedEntry(userId, entryId), part === undefined ? undefined : eq(transcriptPassages.part, part)),
    )
    .orderBy(asc(transcriptPassages.startMs));
}

/**
 * Records how far a running transcription is. It never goes back, as passages may be heard out of order.
 * @param seconds from the start of the video
 */
export async function saveProgress({ userId, entryId }: EntryRef, seconds: number): Promise<void> {
  const share = sql`coalesce(${seconds}::float8 * 1000 / nullif(${entries.durationMs}, 0), 0)`;
  await db()
    .update(entries)
    .set({
      transcriptProgress: sql`greatest(${entries.transcriptProgress}, least(1, ${share}))`,
    })
    .where(and(ownedEntry(userId, entryId), eq(entries.transcriptStatus, 'processing')));
}

/** Deletes the parts of an entry's transcript and their passages. @returns the parts, in order */
export const deleteTranscriptParts = async (tx: Transaction, entryId: string) => {
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
export async function publishTranscriptParts({ userId, entryId }: EntryRef, count: number): Promise<void> {
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
