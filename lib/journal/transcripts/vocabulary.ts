import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { transcripts, vocabulary } from '@/db/schema/transcripts';
import { runInSlices } from '@/lib/foundation/shared/steps';
import { wordsIn } from './corrected-words';

/** How many words are kept for a person. */
const MAX_WORDS = 200;

/** Names come before other terms, and then the latest correction does. */
const mostUseful = [sql`${vocabulary.word} = lower(${vocabulary.word})`, desc(vocabulary.updatedAt)];

/** Returns a person's words, the most useful first. */
async function knownWords(tx: Database | Transaction, userId: string, which?: SQL): Promise<string[]> {
  const rows = await tx
    .select({ word: vocabulary.word })
    .from(vocabulary)
    .where(and(eq(vocabulary.userId, userId), which))
    .orderBy(...mostUseful);
  return rows.map(({ word }) => word);
}

/** Takes the lock under which a person's words change, so that two changes don't lock them in different orders. */
const lockVocabulary = (tx: Transaction, userId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`daylight:vocabulary:${userId}`}))`);

async function forgetWords(tx: Transaction, userId: string, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  await tx.delete(vocabulary).where(and(eq(vocabulary.userId, userId), anyOf(vocabulary.word, words)));
}

async function learnWords(tx: Transaction, userId: string, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  await tx
    .insert(vocabulary)
    .values(words.map((word) => ({ userId, word })))
    .onConflictDoUpdate({
      target: [vocabulary.userId, vocabulary.word],
      // Also one that an import added: the person has now taught it.
      set: { updatedAt: sql`now()`, importId: null },
    });
  await forgetWords(tx, userId, (await knownWords(tx, userId)).slice(MAX_WORDS));
}

/**
 * Changes a person's words after a correction. Of new ones, the first {@link MAX_WORDS} are learned.
 * @param forgotten words that the person had written and has now taken out
 */
export async function changeVocabulary(
  tx: Transaction,
  userId: string,
  { learned, forgotten }: { learned: readonly string[]; forgotten: readonly string[] },
): Promise<void> {
  await lockVocabulary(tx, userId);
  await forgetWords(tx, userId, forgotten);
  await learnWords(tx, userId, learned.slice(0, MAX_WORDS));
}

/** Matches words that no entry outside the trash contains. The search index has an entry's words from four letters on. */
const isUnsaid = sql`not exists (select from search_words said
  where said.user_id = ${vocabulary.userId} and said.word = any(tsvector_to_array(
    to_tsvector('daylight_written', replace(search_plain(${vocabulary.word}), ' ', '')))))`;

/**
 * Forgets words, except for those that are being changed, such as by a correction that teaches them again. It waits for
 * nothing, and doesn't take {@link lockVocabulary}: its caller locks imports afterward, and an import locks itself before
 * its words, so the two could deadlock.
 */
async function forgetUnlocked(tx: Transaction, userId: string, words: readonly string[]): Promise<void> {
  const unlocked = await tx
    .select({ word: vocabulary.word })
    .from(vocabulary)
    .where(and(eq(vocabulary.userId, userId), anyOf(vocabulary.word, words)))
    .for('update', { skipLocked: true });
  await forgetWords(
    tx,
    userId,
    unlocked.map(({ word }) => word),
  );
}

/** Returns which of some words are in a correction. */
async function wordsTaughtBy(
  tx: Transaction,
  { entryId, revision }: { entryId: string; revision: number },
  words: ReadonlySet<string>,
): Promise<Set<string>> {
  const [correction] = await tx
    .select({ words: transcripts.words })
    .from(transcripts)
    .where(and(eq(transcripts.entryId, entryId), eq(transcripts.revision, revision)));
  return runInSlices(wordsIn(correction?.words.map(([word]) => word) ?? [], words));
}

/**
 * Forgets what entries have taught, before they're permanently deleted: the words in their corrections that no other
 * entry contains.
 */
export async function forgetWordsOfEntries(tx: Transaction, entryIds: readonly string[]): Promise<void> {
  const corrections = await tx
    .select({ userId: entries.userId, entryId: transcripts.entryId, revision: transcripts.revision })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(and(anyOf(entries.id, entryIds), gt(transcripts.revision, 0)));
  for (const userId of new Set(corrections.map((one) => one.userId))) {
    const left = new Set(await knownWords(tx, userId, isUnsaid));
    for (const correction of corrections) {
      if (left.size === 0) break;
      if (correction.userId !== userId) continue;
      // One at a time: there may be many, of megabytes each.
      const taught = await wordsTaughtBy(tx, correction, left);
      await forgetUnlocked(tx, userId, [...taught]);
      for (const word of taught) left.delete(word);
    }
  }
}

/**
 * Adds words that were learned elsewhere, for an import, as far as there's space for them.
 * @param words in the order of {@link vocabularyOf}
 * @param learnedAt when the first one was learned; the others count as learned before it
 */
export async function addVocabulary(
  tx: Transaction,
  { userId, importId }: { userId: string; importId: string },
  words: readonly string[],
  learnedAt: Date,
): Promise<void> {
  if (words.length === 0) return;
  await lockVocabulary(tx, userId);
  const has = new Set(await knownWords(tx, userId));
  const added = [...new Set(words)]
    .filter((word) => !has.has(word))
    .slice(0, Math.max(0, MAX_WORDS - has.size));
  if (added.length === 0) return;
  await tx.insert(vocabulary).values(
    added.map((word, index) => {
      const updatedAt = new Date(learnedAt.getTime() - index);
      return { userId, word, updatedAt, importId };
    }),
  );
}

/** Forgets the words that an import added and that no correction has taught since. */
export async function forgetImportedWords(tx: Transaction, userId: string, importId: string): Promise<void> {
  await lockVocabulary(tx, userId);
  await tx.delete(vocabulary).where(and(eq(vocabulary.userId, userId), eq(vocabulary.importId, importId)));
}

/** Returns the words that a person has corrected transcripts to, names first, then the latest first; at most 200. */
export const vocabularyOf = async (userId: string): Promise<string[]> =>
  (await knownWords(db(), userId)).slice(0, MAX_WORDS);
