import type { StoredWord } from '@/db/schema/transcripts';
import type { Steps } from '@/lib/foundation/shared/steps';
import { endsSentence } from '@/lib/journal/transcripts/shared/ends-sentence';

/** The lengths of a good quotation, in words. */
const SHORTEST = 6;
const LONGEST = 34;
const IDEAL = { from: 10, to: 24 };

/** How many words to look at: two hours of speech. What an entry is about is said early. */
export const MAX_WORDS = 20_000;

/** A silence this long ends a sentence that has no punctuation, in seconds. */
const PAUSE_SECONDS = 0.9;
/** Longer sentences are split, since some engines write no punctuation. */
const MAX_SENTENCE_WORDS = 40;

/** A range of a transcript's words: from the first index up to, but not including, the last. */
interface WordRange {
  from: number;
  to: number;
}

/** Splits a transcript into sentences: at punctuation, at pauses, and where one would get too long to quote. */
function sentences(words: readonly StoredWord[]): WordRange[] {
  const found: WordRange[] = [];
  let from = 0;
  for (let to = 1; to <= words.length; to++) {
    const [word, , end] = words[to - 1] as StoredWord;
    const next = words[to];
    const isPause = next !== undefined && next[1] - end > PAUSE_SECONDS;
    if (next && !endsSentence(word) && !isPause && to - from < MAX_SENTENCE_WORDS) continue;
    found.push({ from, to });
    from = to;
  }
  return found;
}

const wordSet = (words: string) => new Set(words.split(/\s+/));

/** Words that people fill pauses with. */
const FILLERS = wordSet('um uh er hmm okay ok well yeah basically anyway like');

/** Words of sentences that people remember: what they felt, wanted, and noticed. English only; others have the rest. */
const TELLING = wordSet(
  `afraid alone always angry beautiful because better brave called cried decided die died dream else enough feel
  felt finally forget forgot forgive friend glad grateful happy hate home hope hoped hurt instead kind kinder laugh
  laughed learn learned lonely lost love loved mad maybe meant miss missed mistake never nobody noticed only promise
  promised proud quiet realize realized relieved remember remembered sad safe scared sorry strange surprised thank
  tired together trust trying until want wanted waiting wished without wonder worried worry worth`,
);

/** Common words, which say nothing on their own. */
const COMMON = wordSet(
  `a about after all also an and any are as at back be been but by can come could day did do does done down even every
  first for from get go going got had has have he her here him his how i if in into is it its just know let look made
  make me more most much my new no not now of off on one or other our out over people really right said same say see
  she should so some still such take than that the their them then there these they thing things think this those
  through time to too today two up us use very was way we went were what when where which while who why will with
  would year you your`,
);

/** From the first letter or digit to the last one. Looks at each character twice at most, however many marks there are. */
const LETTERS = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

const bare = (word: string): string => LETTERS.exec(word.toLowerCase().replace(/’/g, "'"))?.[0] ?? '';

/** Returns how well a range works as a quotation, higher being better. */
function score(words: readonly StoredWord[], { from, to }: WordRange): number {
  const range = words.slice(from, to);
  const plain = range.map(([word]) => bare(word));
  const count = range.length;
  const share = (matches: number) => matches / count;
  const own = plain.filter((word) => /^(i|i'm|i've|i'd|i'll|me|my|we|we're|our|us)$/.test(word)).length;
  const telling = plain.filter((word) => TELLING.has(word)).length;
  const fillers = plain.filter((word) => FILLERS.has(word)).length;
  const rare = plain.filter((word) => word.length > 2 && !COMMON.has(word) && !FILLERS.has(word)).length;
  const repeats = count - new Set(plain).size;
  const confidence = range.reduce((sum, [, , , known]) => sum + (known ?? 0.9), 0) / count;
  const offIdeal = Math.max(0, IDEAL.from - count, count - IDEAL.to);
  const last = range.at(-1)?.[0] ?? '';
  const startsSentence = from === 0 || endsSentence(words[from - 1]?.[0] ?? '');
  return (
    Math.min(telling, 3) * 1.2 +
    Math.min(own, 2) * 0.7 +
    share(rare) * 3 +
    confidence * 3 -
    share(fillers) * 6 -
    share(repeats) * 2 -
    offIdeal * 0.15 +
    (endsSentence(last) ? (last.includes('?') ? 0.6 : 1.2) : 0) +
    (startsSentence && /^\p{Lu}/u.test(range[0]?.[0] ?? '') ? 0.4 : 0) -
    // An entry often begins by saying what it is.
    (from === 0 ? 0.5 : 0)
  );
}

/** Returns where to end a range that's too long to quote: after a comma or the like, if there's one late enough. */
function shortened(words: readonly StoredWord[], { from, to }: WordRange): WordRange {
  if (to - from <= LONGEST) return { from, to };
  for (let end = from + LONGEST; end > from + IDEAL.from; end--) {
    if (/[,;:—–]$/.test(words[end - 1]?.[0] ?? '')) return { from, to: end };
  }
  return { from, to: from + LONGEST };
}

/** Returns the sentences, short ones joined with those that follow. */
function candidates(words: readonly StoredWord[]): WordRange[] {
  const all = sentences(words);
  const joined = all.map(({ from }, index) => {
    let { to } = all[index] as WordRange;
    for (const next of all.slice(index + 1, index + 3)) {
      if (to - from >= IDEAL.from || next.to - from > LONGEST) break;
      to = next.to;
    }
    return shortened(words, { from, to });
  });
  return joined.filter(({ from, to }) => to - from >= SHORTEST);
}

/** Sentences that are looked at in a step. */
const SENTENCES_IN_STEP = 16;

/**
 * Picks the sentence, or a few short ones in a row, that tells best what an entry is about, in steps: in the speaker's
 * own words, about something in particular, and heard clearly. The same transcript always gives the same sentence.
 * @returns all words if there are too few to choose from; null if there are none
 */
export function* pickHighlight(words: readonly StoredWord[]): Steps<WordRange | null> {
  if (words.length === 0) return null;
  let best: { range: WordRange; score: number } | undefined;
  for (const [index, range] of candidates(words.slice(0, MAX_WORDS)).entries()) {
    const found = score(words, range);
    // Of equal ones, the first.
    if (!best || found > best.score) best = { range, score: found };
    if (index % SENTENCES_IN_STEP === SENTENCES_IN_STEP - 1) yield;
  }
  return best?.range ?? shortened(words, { from: 0, to: words.length });
}

/** Returns how well a quotation works next to those of other entries, higher being better. */
export const scoreQuotation = (words: readonly StoredWord[]): number =>
  score(words, { from: 0, to: words.length });
