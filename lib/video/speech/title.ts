import { endsSentence, isAbbreviation } from '@/lib/journal/transcripts/shared/ends-sentence';
import {
  ASIDES,
  CLAUSE_STARTS,
  COMMON,
  DANGLING,
  FILLERS,
  OPENERS,
  SUBJECTS,
  TIME_OPENERS,
  TOPIC_VERBS,
} from './title-words';

const MAX_LENGTH = 60;

/** How many sentences are looked at. What an entry is about is said early. */
const SENTENCES = 12;
/** How many words they may have together. Some engines write no punctuation. */
const MAX_WORDS = 600;

// From the first character that counts to the last one. They look at each twice at most, however many marks there are.
const KEY = /[\p{L}\p{N}’](?:.*[\p{L}\p{N}’])?/su;
const TITLE = /[\p{L}\p{N}$€£](?:.*[\p{L}\p{N}%°])?/su;

interface Token {
  text: string;
  /** Lower case, without the marks around it, with curly apostrophes. */
  key: string;
}

interface Candidate {
  tokens: Token[];
  /** Whether it's only part of a sentence, so that its last word may lack what follows. */
  cut: boolean;
}

const toToken = (word: string): Token => ({
  text: word,
  key: word.toLowerCase().replaceAll("'", '’').match(KEY)?.[0] ?? '',
});

const endsClause = ({ text }: Token) => /[,;:—–]["”’)]*$/.test(text);

const isSubject = (token: Token | undefined) => SUBJECTS.has(token?.key ?? '');

const startsWith = (tokens: readonly Token[], phrase: readonly string[], at = 0) =>
  phrase.every((key, index) => tokens[at + index]?.key === key);

/** Splits words before each that starts something new. */
function split(
  tokens: readonly Token[],
  startsNew: (before: Token, token: Token, next: Token | undefined) => boolean,
): Token[][] {
  const parts: Token[][] = [[]];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (before && startsNew(before, token, tokens[index + 1])) parts.push([]);
    parts.at(-1)?.push(token);
  }
  return parts;
}

const splitSentences = (tokens: readonly Token[]) =>
  split(tokens, ({ text }) => endsSentence(text) && !isAbbreviation(text));

/** Removes fillers, asides between commas, words said twice in a row, and false starts ("We, I called"). */
function withoutFillers(sentence: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < sentence.length; index++) {
    const token = sentence[index] as Token;
    const before = kept.at(-1);
    const aside = ASIDES.find((phrase) => {
      const last = sentence[index + phrase.length - 1];
      return (
        startsWith(sentence, phrase, index) && last && endsClause(last) && (!before || endsClause(before))
      );
    });
    if (aside) index += aside.length - 1;
    else if (token.key && !FILLERS.has(token.key) && token.key !== before?.key) {
      if (before && endsClause(before) && isSubject(before) && isSubject(token)) kept.pop();
      kept.push(token);
    }
  }
  return kept;
}

/** Removes what comes before the point: "Okay, so today I wanted to say that …". */
function withoutOpeners(sentence: readonly Token[]): Token[] {
  let rest = [...sentence];
  for (;;) {
    const opener =
      OPENERS.find((phrase) => startsWith(rest, phrase)) ??
      TIME_OPENERS.find((phrase) => startsWith(rest, phrase) && isSubject(rest[phrase.length]));
    if (!opener) return rest;
    rest = rest.slice(opener.length);
  }
}

/** Returns whether a clause starts at a word. "Marcus and I" is one subject. */
function startsClause(before: Token, token: Token, next: Token | undefined): boolean {
  if (endsClause(before) || CLAUSE_STARTS.has(token.key)) return true;
  if (token.key !== 'and' && token.key !== 'or') return false;
  const pair = next?.key === 'i' && /^\p{Lu}/u.test(before.text);
  return !pair && (isSubject(next) || CLAUSE_STARTS.has(next?.key ?? ''));
}

/** Splits a sentence before its conjunctions and after its commas. */
const splitClauses = (sentence: readonly Token[]) => split(sentence, startsClause);

/** Returns what follows "talk about", "tell you about", "thinking about", up to the end of the clause. */
function findTopic(sentence: readonly Token[]): Token[] | null {
  for (const [index, { key }] of sentence.entries()) {
    if (key !== 'about') continue;
    const verb = sentence.slice(Math.max(0, index - 4), index).some((token) => TOPIC_VERBS.has(token.key));
    if (!verb) continue;
    const [clause = []] = splitClauses(sentence.slice(index + 1));
    return clause;
  }
  return null;
}

/** "We’re finally moving to Lisbon" becomes "finally moving to Lisbon". */
function withoutSubject(tokens: Token[]): Token[] {
  const subject = [['i’m'], ['we’re'], ['i', 'am'], ['we', 'are']].find((one) => startsWith(tokens, one));
  const rest = tokens.slice(subject?.length);
  return subject && rest.slice(0, 2).some(({ key }) => /.{2}ing$/.test(key)) ? rest : tokens;
}

const toText = (tokens: readonly Token[]) => TITLE.exec(tokens.map(({ text }) => text).join(' '))?.[0] ?? '';

/** Cuts at the last word that fits, and never after a word like "the". */
function shorten(tokens: readonly Token[], cut: boolean): Token[] {
  let kept = [...tokens];
  while (toText(kept).length > MAX_LENGTH) kept = kept.slice(0, -1);
  if (!cut && kept.length === tokens.length) return kept;
  while (kept.length > 0 && DANGLING.has(kept.at(-1)?.key ?? '')) kept = kept.slice(0, -1);
  return kept;
}

const isTelling = ({ key }: Token) =>
  key.length > 1 && !COMMON.has(key) && !/^\d+(?:st|nd|rd|th)?$/.test(key);

/** Sums up how telling the words are: those said again later, and names, count for more. */
function weigh(tokens: readonly Token[], counts: ReadonlyMap<string, number>): number {
  const keys = new Set<string>();
  let sum = 0;
  for (const [index, token] of tokens.entries()) {
    if (!isTelling(token) || keys.has(token.key)) continue;
    keys.add(token.key);
    const name = index > 0 && /^\p{Lu}\p{Ll}/u.test(token.text) ? 0.5 : 0;
    sum += 1 + name + Math.min((counts.get(token.key) ?? 1) - 1, 4) * 0.25;
  }
  return Math.min(sum, 3);
}

/** Lists what could be the title, from the sentence's topic, the whole of it, and its clauses. */
function candidatesOf(sentence: readonly Token[]): Candidate[] {
  const point = withoutOpeners(withoutFillers(sentence));
  const topic = findTopic(point);
  if (topic?.some(isTelling)) return [{ tokens: topic, cut: true }];
  const whole = withoutSubject(point);
  if (toText(whole).length <= MAX_LENGTH) return [{ tokens: whole, cut: false }];
  const clauses = splitClauses(point);
  return clauses.flatMap((_, first) => {
    let joined = withoutOpeners(clauses[first] ?? []);
    for (const next of clauses.slice(first + 1)) {
      if (toText([...joined, ...next]).length > MAX_LENGTH) break;
      joined = [...joined, ...next];
    }
    return { tokens: withoutSubject(joined), cut: true };
  });
}

function scoreOf(tokens: readonly Token[], position: number, counts: ReadonlyMap<string, number>): number {
  const first = tokens[0]?.key ?? '';
  const vague = /^(?:it|it’s|that|that’s|this|these|those|he|he’s|she|she’s|they|they’re|there|there’s|you)$/;
  let score = weigh(tokens, counts) * 0.8 ** position;
  if (vague.test(first) || /^(?:and|or)$/.test(first) || CLAUSE_STARTS.has(first)) score *= 0.6;
  if (tokens.at(-1)?.text.includes('?')) score *= 0.5;
  if (tokens.length > 9) score *= 0.9;
  return score;
}

/** Capitalizes the first word, and "I". */
function toSentenceCase(title: string): string {
  const text = title.replace(/(?<![\p{L}\p{N}’'])i(?=$|[\s’'])/gu, 'I');
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/**
 * Suggests an entry's title from what was said in it: the first telling sentence, clause, or topic ("… talk about
 * my sister’s wedding"), without fillers and openers, in sentence case.
 * @returns at most 60 characters, or null if too little was said
 */
export function suggestTitle(words: readonly { word: string }[]): string | null {
  const tokens = words
    .flatMap(({ word }) => word.split(/\s+/))
    .filter(Boolean)
    .map(toToken);
  const counts = new Map<string, number>();
  for (const { key } of tokens) counts.set(key, (counts.get(key) ?? 0) + 1);

  let best: { tokens: Token[]; score: number } | null = null;
  for (const [position, sentence] of splitSentences(tokens.slice(0, MAX_WORDS))
    .slice(0, SENTENCES)
    .entries()) {
    for (const { tokens: words, cut } of candidatesOf(sentence)) {
      const tokens = shorten(words, cut);
      const text = toText(tokens);
      if (tokens.length < 2 || !text.includes(' ')) continue;
      const score = scoreOf(tokens, position, counts) * (tokens.length < words.length ? 0.7 : 1);
      if (score > (best?.score ?? 0)) best = { tokens, score };
    }
  }
  return best && toSentenceCase(toText(best.tokens));
}
