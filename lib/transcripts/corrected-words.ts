import { matchTokens } from './match-tokens';

/** 2 to 40 letters, apostrophes, and hyphens. */
const WORD = /^(?=.{2,40}$)\p{L}[\p{L}\p{M}’-]*\p{L}$/u;

/** "I", also in "I’m". */
const PRONOUN = /^I(?:’|$)/;

/** The most letters that may differ between a term and what was heard in its place. */
const DIFFERENCE = 0.5;

/** Where a correction replaces more words than this, it's a new sentence, and only names are learned from it. */
const SHORT = 3;

/** Nobody says more in half a day. The rest of a longer text isn't compared, since requests wait meanwhile. */
const MAX_TOKENS = 100_000;

const tokenize = (words: readonly string[]) =>
  words
    .flatMap((word) => word.split(/\s+/))
    .filter(Boolean)
    .slice(0, MAX_TOKENS);

/** Returns a word without the marks around it and the possessive ending, with curly apostrophes, in NFC. */
function bare(token: string): string {
  return token
    .normalize('NFC')
    .replaceAll("'", '’')
    .replace(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, '')
    .replace(/’s$/u, '');
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
function isMisheard(word: string, replaced: readonly string[]): boolean {
  const [written, heard] = [word.toLowerCase(), replaced.join('').toLowerCase()];
  const most = Math.max(written.length, heard.length) * DIFFERENCE;
  // Every letter that one of them has more is a difference.
  if (written.length < 4 || Math.abs(written.length - heard.length) > most) return false;
  return letterDistance(written, heard) <= most;
}

const endsSentence = (token: string | undefined) => token === undefined || /[.?!…:]["”’)]*$/.test(token);

/** Returns the stretches that differ: tokens of `before`, and where the ones that replace them are in `after`. */
function differences(before: readonly string[], after: readonly string[]) {
  const match = matchTokens(before, after);
  const found: { gone: string[]; from: number; to: number }[] = [];
  let start = 0;
  let from = 0;
  for (let index = 0; index <= before.length; index++) {
    const to = index < before.length ? (match[index] ?? -1) : after.length;
    if (to < 0) continue;
    const gone = before.slice(start, index);
    if (gone.length > 0 && to > from) found.push({ gone, from, to });
    start = index + 1;
    from = to + 1;
  }
  return found;
}

/**
 * Returns the names and terms that a person wrote in place of what the engine heard, each once: capitalized within a
 * sentence, or spelled much like the words they replace.
 */
export function correctedWords(heard: readonly string[], corrected: readonly string[]): string[] {
  const [before, after] = [tokenize(heard), tokenize(corrected)];
  const words = new Set<string>();
  for (const { gone, from, to } of differences(before, after)) {
    const replaced = gone.map(bare);
    const known = new Set(replaced);
    for (let index = from; index < to; index++) {
      const token = after[index] ?? '';
      const word = bare(token);
      if (!WORD.test(word) || PRONOUN.test(word)) continue;
      const isCapitalized = /\p{Lu}/u.test(word);
      // Every word has a capital at the start of a sentence.
      if (isCapitalized && endsSentence(after[index - 1])) continue;
      const isTerm = to - from === 1 && replaced.length <= SHORT && isMisheard(word, replaced);
      if ((isCapitalized || isTerm) && !known.has(word)) words.add(word);
    }
  }
  return [...words];
}

/** Returns which of these words are in a text. */
export function wordsIn(text: readonly string[], words: readonly string[]): Set<string> {
  const said = new Set(tokenize(text).map(bare));
  return new Set(words.filter((word) => said.has(word)));
}
