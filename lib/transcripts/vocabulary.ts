import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { type StoredWord, transcripts, vocabulary } from '@/db/schema/transcripts';
import { correctedWords, wordsIn } from './corrected-words';
import { revisionWords } from './revision-words';

/** How many words are kept for a person. */
const MAX_WORDS = 200;

const textOf = (words: readonly StoredWord[]) => words.map(([word]) => word);

/** Names come before other terms, and then the latest correction does. */
const mostUseful = [sql`${vocabulary.word} = lower(${vocabulary.word})`, desc(vocabulary.updatedAt)];

/** The engine that takes the words hears English only, and German would make a name of every noun. */
const inEnglish = sql`coalesce(${entries.language}, 'en') ~ '^en(-|$)'`;

/** Takes the lock under which a person's words change, so that two changes don't lock them in different orders. */
const lockVocabulary = (tx: Transaction, userId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`daylight:vocabulary:${userId}`}))`);

async function forgetWords(tx: Transaction, userId: string, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  await tx.delete(vocabulary).where(and(eq(vocabulary.userId, userId), inArray(vocabulary.word, [...words])));
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
  const surplus = await tx
    .select({ word: vocabulary.word })
    .from(vocabulary)
    .where(eq(vocabulary.userId, userId))
    .orderBy(...mostUseful)
    .offset(MAX_WORDS);
  await forgetWords(
    tx,
    userId,
    surplus.map(({ word }) => word),
  );
}

/**
 * Learns from a correction, in its transaction: the names and terms that replace what the engine heard, and forgets
 * those that the person had written in the previous revision and has now taken out.
 * @param before the words of the previous revision
 */
export async function learnFromCorrection(
  tx: Transaction,
  entry: { userId: string; entryId: string },
  before: readonly StoredWord[],
  after: readonly StoredWord[],
): Promise<void> {
  const [original] = await tx
    .select({ words: revisionWords })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(and(ownedEntry(entry.userId, entry.entryId), eq(transcripts.revision, 0), inEnglish));
  if (!original) return;
  const heard = textOf(original.words);
  const written = textOf(after);
  const learned = correctedWords(heard, written);
  const earlier = correctedWords(heard, textOf(before));
  const left = wordsIn(written, earlier);
  await lockVocabulary(tx, entry.userId);
  await forgetWords(
    tx,
    entry.userId,
    earlier.filter((word) => !left.has(word)),
  );
  const fresh = learned.filter((word) => !earlier.includes(word));
  await learnWords(tx, entry.userId, fresh.slice(0, MAX_WORDS));
}

/** Matches words that no entry outside the trash contains. The search index has every entry's words, from four letters on. */
const isUnsaid = sql`not exists (select from search_words said
  where said.user_id = ${vocabulary.userId} and said.word = any(tsvector_to_array(
    to_tsvector('daylight_written', replace(search_plain(${vocabulary.word}), ' ', '')))))`;

/**
 * Forgets what entries have taught, before they're permanently deleted: the words in their corrections that no other
 * entry contains.
 */
export async function forgetWordsOfEntries(tx: Transaction, entryIds: readonly string[]): Promise<void> {
  const hasWords = sql`exists (select from ${vocabulary} where ${vocabulary.userId} = ${entries.userId})`;
  const corrections = await tx
    .select({ userId: entries.userId, words: transcripts.words })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(and(inArray(entries.id, [...entryIds]), gt(transcripts.revision, 0), hasWords));
  for (const userId of new Set(corrections.map((one) => one.userId))) {
    const known = await tx
      .select({ word: vocabulary.word })
      .from(vocabulary)
      .where(and(eq(vocabulary.userId, userId), isUnsaid));
    const written = corrections.flatMap((one) => (one.userId === userId ? textOf(one.words) : []));
    const taught = wordsIn(
      written,
      known.map(({ word }) => word),
    );
    await forgetWords(tx, userId, [...taught]);
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
  const known = await tx
    .select({ word: vocabulary.word })
    .from(vocabulary)
    .where(eq(vocabulary.userId, userId));
  const has = new Set(known.map(({ word }) => word));
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
export async function vocabularyOf(userId: string): Promise<string[]> {
  const rows = await db()
    .select({ word: vocabulary.word })
    .from(vocabulary)
    .where(eq(vocabulary.userId, userId))
    .orderBy(...mostUseful)
    .limit(MAX_WORDS);
  return rows.map(({ word }) => word);
}
