import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { runInBackground } from '@/lib/foundation/shared/steps';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { correctedWords, wordsIn } from './corrected-words';
import { revisionTexts } from './revision-words';
import { changeVocabulary } from './vocabulary';

/** The engine that takes the words hears English only, and German would make a name of every noun. */
const isEnglish = sql<boolean>`coalesce(${entries.language}, 'en') ~ '^en(-|$)'`;

/**
 * Starts the job that learns from a correction, in the correction's transaction, which has the entry locked.
 * @param corrected the revision that the new one follows
 */
export async function requestLearning(
  tx: Transaction,
  { userId, entryId }: EntryRef,
  corrected: number,
): Promise<void> {
  await tx
    .update(entries)
    .set({ learnedRevision: corrected })
    .where(and(eq(entries.id, entryId), sql`${entries.learnedRevision} is null`));
  const revision = corrected + 1;
  const event = { name: 'entry/transcript.corrected', data: { entryId, userId, revision } } as const;
  await enqueueEvent(tx, `vocabulary-${entryId}-${revision}`, event);
}

/** Returns the words of the newest revision up to a number, and its own number. */
async function revisionUpTo({ userId, entryId }: EntryRef, revision: number) {
  const [found] = await db()
    .select({ revision: transcripts.revision, texts: revisionTexts })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(and(ownedEntry(userId, entryId), lte(transcripts.revision, revision)))
    .orderBy(desc(transcripts.revision))
    .limit(1);
  return { revision: found?.revision ?? null, words: found?.texts ?? [] };
}

/** Compares what the engine heard with the revision that was learned from last, and with the newest one. */
async function compareRevisions(entry: EntryRef, learnedRevision: number, newest: number) {
  const original = await revisionUpTo(entry, 0);
  // Without an original, the words are nobody's corrections.
  if (original.revision === null) return { learned: [], forgotten: [] };
  const after = await revisionUpTo(entry, newest);
  const words = await runInBackground(correctedWords(original.words, after.words));
  // The revision itself may have been deleted to make space for newer ones.
  const before = await revisionUpTo(entry, learnedRevision);
  const earlier =
    before.revision === 0
      ? new Set<string>()
      : await runInBackground(correctedWords(original.words, before.words));
  const left = await runInBackground(wordsIn(after.words, earlier));
  return {
    learned: [...words].filter((word) => !earlier.has(word)),
    forgotten: [...earlier].filter((word) => !left.has(word)),
  };
}

/**
 * Learns from an entry's corrections since the last time: the names and terms that replace what the engine heard.
 * Forgets those that the person had written and has taken out since. Runs may be repeated, and come in any order: the
 * entry's row says which revision was the last one, and changes with the vocabulary.
 */
export async function learnFromCorrections({ userId, entryId }: EntryRef): Promise<void> {
  for (;;) {
    const [entry] = await db()
      .select({
        isEnglish,
        learnedRevision: entries.learnedRevision,
        newest: sql<number>`(select max(revision) from transcripts where entry_id = entries.id)`,
      })
      .from(entries)
      .where(ownedEntry(userId, entryId));
    const { learnedRevision = null, newest = 0 } = entry ?? {};
    if (!entry || learnedRevision === null || newest <= learnedRevision) return;
    const change = entry.isEnglish
      ? await compareRevisions({ userId, entryId }, learnedRevision, newest)
      : null;
    const isDone = await db().transaction(async (tx) => {
      const [claimed] = await tx
        .update(entries)
        .set({ learnedRevision: newest })
        .where(and(ownedEntry(userId, entryId), eq(entries.learnedRevision, learnedRevision)))
        .returning({ id: entries.id });
      if (claimed && change) await changeVocabulary(tx, userId, change);
      return claimed !== undefined;
    });
    // Otherwise another run was first, or the entry is gone.
    if (isDone) return;
  }
}

/** More words than anybody says in three hours. To index a hundred thousand takes the database half a second. */
const MAX_INDEXED_AT_ONCE = 30_000;

/**
 * Keeps a transaction's changes of a transcript out of the search index if it's so long that nobody should wait for that. The
 * job that the correction starts indexes it.
 * @returns whether it does
 */
export async function deferIndexing(tx: Transaction, words: number): Promise<boolean> {
  if (words <= MAX_INDEXED_AT_ONCE) return false;
  await tx.execute(sql`select set_config('daylight.search_suspended', 'yes', true)`);
  return true;
}

/** Indexes what {@link deferIndexing} has left out of the index. Repeating it changes nothing. */
export async function indexDeferred({ userId, entryId }: EntryRef): Promise<void> {
  await db().execute(sql`
    select search_refresh(id) from entries where id = ${entryId} and user_id = ${userId} and (
      select jsonb_array_length(words) from transcripts where entry_id = id order by revision desc limit 1
    ) > ${MAX_INDEXED_AT_ONCE}`);
}
