import { and, desc, eq } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { endsSentence, isAbbreviation } from './shared/ends-sentence';

/** How long a title from the first words is at most, in words and in characters (code points). */
const MAX_WORDS = 8;
const MAX_LENGTH = 60;

/** Marks at the end that a title doesn't need. Quotation marks and brackets that close something stay. */
const LAST_MARKS = /[\s.,;:!?…–—-]+(?=["”’)]*$)/u;

const lengthOf = (text: string) => [...text].length;

/**
 * Returns the first words as a title: the first sentence, or its first 8 words if it's longer, as far as they fit into 60
 * characters. A sentence ends where a word ends with a period, question mark, exclamation mark, or ellipsis, unless it's an
 * abbreviation such as “Dr.” or an initial. The marks at the end are dropped, and “…” says that the sentence goes on.
 * @returns null if nothing was said
 */
export function titleFromWords(words: readonly StoredWord[]): string | null {
  const said = words.flatMap(([word]) => word.split(/\s+/)).filter(Boolean);
  const end = said.findIndex((word) => endsSentence(word) && !isAbbreviation(word));
  const sentence = end === -1 ? said : said.slice(0, end + 1);
  // “…” takes a character, too.
  const fits = (count: number) =>
    lengthOf(sentence.slice(0, count).join(' ')) + (count < sentence.length ? 1 : 0) <= MAX_LENGTH;
  let count = Math.min(sentence.length, MAX_WORDS);
  while (count > 1 && !fits(count)) count -= 1;
  const title = sentence.slice(0, count).join(' ');
  const isCut = count < sentence.length || !fits(count);
  const text = (isCut ? [...title].slice(0, MAX_LENGTH - 1).join('') : title).replace(LAST_MARKS, '');
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  return isCut ? `${text}…` : text;
}

/**
 * Replaces the title that an entry was imported with by the first words of its transcript, once. A title that was changed
 * since stays, and so does one without words.
 */
export async function replacePlaceholderTitle(tx: Transaction, entryId: string): Promise<void> {
  const [imported] = await tx
    .select({ placeholder: importedEntries.placeholderTitle })
    .from(importedEntries)
    .where(eq(importedEntries.entryId, entryId));
  if (!imported?.placeholder) return;
  const [current] = await tx
    .select({ words: transcripts.words })
    .from(transcripts)
    .where(eq(transcripts.entryId, entryId))
    .orderBy(desc(transcripts.revision))
    .limit(1);
  const title = current && titleFromWords(current.words);
  if (!title) return;
  await tx
    .update(entries)
    .set({ title })
    .where(and(eq(entries.id, entryId), eq(entries.title, imported.placeholder)));
  await tx
    .update(importedEntries)
    .set({ placeholderTitle: null })
    .where(eq(importedEntries.entryId, entryId));
}
