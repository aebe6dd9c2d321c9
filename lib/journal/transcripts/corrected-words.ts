import type { Steps } from '@/lib/foundation/shared/steps';
import { findDifferences, matchTokensInSteps } from './shared/match-tokens';
import { WorkBudget } from './shared/work-budget';

/** 2 to 40 letters, apostrophes, and hyphens. */
const WORD = /^(?=.{2,40}$)\p{L}[\p{L}\p{M}’-]*\p{L}$/u;

/** "I", also in "I’m". */
const PRONOUN = /^I(?:’|$)/;

/** The most letters that may differ between a term and what was heard in its place. */
const DIFFERENCE = 0.5;

/** Where a correction replaces more words than this, it's a new sentence, and only names are learned from it. */
const SHORT = 3;

/** Nobody says more in half a day. The rest of a longer text isn't compared. */
const MAX_TOKENS = 100_000;

/** Words that are split or looked at in a step. */
const WORDS_IN_STEP = 512;

/** Splits words at their spaces, in steps. */
function* tokenize(words: readonly string[]): Steps<string[]> {
  const tokens: string[] = [];
  for (const [index, word] of words.entries()) {
    for (const token of word.split(/\s+/)) if (token) tokens.push(token);
    if (tokens.length >= MAX_TOKENS) return tokens.slice(0, MAX_TOKENS);
    if (index % WORDS_IN_STEP === WORDS_IN_STEP - 1) yield;
  }
  return tokens;
}

/** From the first letter to the last one. Looks at each character twice at most, however many marks there are. */
const LETTERS = /\p{L}(?:.*[\p{L}\p{M}])?/su;

/** Returns a word without the marks around it and the possessive ending, with curly apostrophes, in NFC. */
function bare(token: string): string {
  const [letters = ''] = LETTERS.exec(token.normalize('NFC').replaceAll("'", '’')) ?? [];
  return letters.replace(/’s$/u, '');
}

/** Returns how many letters have to be inserted, deleted, or replaced to turn `a` into `b` (Levenshtein, 1966). */
function letterDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns whether a word is spelled much like the words it replaces, which suggests that the engine misheard it. */
function isMisheard(word: string, replaced: readonly string[], budget: WorkBudget): boolean {
  const [written, heard] = [word.toLowerCase(), replaced.join('').toLowerCase()];
  const most = Math.max(written.length, heard.length) * DIFFERENCE;
  // Every letter that one of them has more is a difference.
  if (written.length < 4 || Math.abs(written.length - heard.length) > most) return false;
  const comparisons = written.length * heard.length;
  if (!budget.allows(comparisons)) return false;
  budget.charge(comparisons);
  return letterDistance(written, heard) <= most;
}

const endsSentence = (token: string | undefined) => token === undefined || /[.?!…:]["”’)]*$/.test(token);

/**
 * Returns the names and terms that a person wrote in place of what the engine heard, each once, in steps: capitalized
 * within a sentence, or spelled much like the words they replace.
 */
export function* correctedWords(heard: readonly string[], corrected: readonly string[]): Steps<Set<string>> {
  const [before, after] = [yield* tokenize(heard), yield* tokenize(corrected)];
  const budget = new WorkBudget(before.length + after.length);
  const match = yield* matchTokensInSteps(before, after, budget);
  const words = new Set<string>();
  let looked = 0;
  for (const { start, end, from, to } of findDifferences(match, after.length)) {
    // Only what both texts have a version of.
    if (start === end || from === to) continue;
    const replaced: string[] = [];
    for (let index = start; index < end; index++) {
      replaced.push(bare(before[index] ?? ''));
      if (++looked % WORDS_IN_STEP === 0) yield;
    }
    const known = new Set(replaced);
    for (let index = from; index < to; index++) {
      if (++looked % WORDS_IN_STEP === 0) yield;
      const token = after[index] ?? '';
      const word = bare(token);
      if (!WORD.test(word) || PRONOUN.test(word)) continue;
      const isCapitalized = /\p{Lu}/u.test(word);
      // Every word has a capital at the start of a sentence.
      if (isCapitalized && endsSentence(after[index - 1])) continue;
      const isTerm = to - from === 1 && replaced.length <= SHORT && isMisheard(word, replaced, budget);
      if ((isCapitalized || isTerm) && !known.has(word)) words.add(word);
    }
  }
  return words;
}

/** Returns which of these words are in a text, in steps. */
export function* wordsIn(text: readonly string[], words: Iterable<string>): Steps<Set<string>> {
  const said = new Set<string>();
  for (const [index, token] of (yield* tokenize(text)).entries()) {
    said.add(bare(token));
    if (index % WORDS_IN_STEP === WORDS_IN_STEP - 1) yield;
  }
  const found = new Set<string>();
  for (const word of words) if (said.has(word)) found.add(word);
  return found;
}
