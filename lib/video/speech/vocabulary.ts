import tokenizer from 'llama-tokenizer-js';
import type { Decoder } from 'soundswallower';
import { type Moonshine, readAlong, type TokenProbability } from './moonshine';
import { guessPhones, parsePhones, phoneDistance } from './phones';
import { spokenForm } from './spoken-form';
import type { WrittenWord } from './types';

/** A word of the vocabulary is looked for in at most this many recognized words, since names are often heard as two. */
const LONGEST_SPAN = 3;

/** How different a vocabulary word may sound from what was recognized, so that the model is asked about it. */
const MAX_DISTANCE = 0.5;

/** How many places of a passage the model is asked about, those that sound most alike first. */
const MAX_QUESTIONS = 8;

/**
 * How much less likely than the model's own words a vocabulary word may be: the natural logarithm of the ratio, for
 * each of its tokens, of which names that the model doesn't know have many.
 */
const MARGIN_PER_TOKEN = 3;
const MAX_MARGIN = 8;

/** The margin of another spelling of a name, which sounds the same, so that the model can only guess how it's spelled. */
const HOMOPHONE_MARGIN = 12;
const HOMOPHONE_DISTANCE = 0.1;

/** How many of the words after a place also count, since a wrong word makes them unlikely. */
const FOLLOWING_WORDS = 4;

/** A place where a vocabulary word may have been said. */
interface Place {
  start: number;
  end: number;
  /** With the punctuation of what it replaces. */
  word: string;
  tokens: number[];
  distance: number;
}

/** A recognized word with its phones and its tokens. */
interface SpokenWord extends WrittenWord {
  phones: number[];
  tokens: number[];
}

const tokensOf = (word: string): number[] => tokenizer.encode(word, false, true);

function phonesOf(aligner: Decoder, word: string): number[] {
  return spokenForm(word).flatMap((part) =>
    parsePhones(aligner.lookup_word(part) ?? guessPhones(part) ?? ''),
  );
}

/** Returns whether it's a word that everybody uses, so that preferring it would do more harm than good. */
const isEveryday = (aligner: Decoder, word: string) =>
  word === word.toLowerCase() && aligner.lookup_word(word.replaceAll('’', "'")) !== null;

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns how a vocabulary word is written in place of these words: with their marks, and a capital if they start. */
function inPlaceOf(name: string, words: readonly WrittenWord[], before: WrittenWord | undefined): string {
  const text = words.map(({ word }) => word).join(' ');
  const [opening = ''] = /^[^\p{L}\p{N}]*/u.exec(text) ?? [];
  const [closing = ''] = /(?:['’]s)?[^\p{L}\p{N}]*$/u.exec(text) ?? [];
  const starts = !before || /[.?!]["”’)]*$/.test(before.word);
  const written = starts ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  return opening + written + closing;
}

/** Returns where the words sound like one of the vocabulary, the most alike first. */
function findPlaces(aligner: Decoder, words: readonly SpokenWord[], vocabulary: readonly string[]): Place[] {
  const names = vocabulary
    .filter((name) => !isEveryday(aligner, name))
    .map((name) => ({ name, letters: lettersOf(name), phones: phonesOf(aligner, name) }));
  const places: Place[] = [];
  for (const [start] of words.entries()) {
    for (let end = start + 1; end <= Math.min(words.length, start + LONGEST_SPAN); end++) {
      const span = words.slice(start, end);
      const phones = span.flatMap((word) => word.phones);
      for (const { name, letters, phones: wanted } of names) {
        const distance = phoneDistance(phones, wanted);
        if (distance > MAX_DISTANCE || span.some(({ word }) => lettersOf(word) === letters)) continue;
        const word = inPlaceOf(name, span, words[start - 1]);
        places.push({ start, end, word, tokens: tokensOf(word), distance });
      }
    }
  }
  return places.sort((a, b) => a.distance - b.distance);
}

function marginOf({ distance, tokens }: Place, [first, ...others]: readonly WrittenWord[]): number {
  const isName = others.length === 0 && /^\p{Lu}/u.test(first?.word ?? '');
  if (isName && distance < HOMOPHONE_DISTANCE) return HOMOPHONE_MARGIN;
  return Math.min(MAX_MARGIN, MARGIN_PER_TOKEN * tokens.length);
}

/** Sums up the log-probabilities of tokens from a position on, and of the end if it comes after them. */
function sumOf(
  probability: TokenProbability,
  from: number,
  tokens: readonly number[],
  ends: boolean,
): number {
  const after = ends ? [...tokens, null] : tokens;
  return after.reduce<number>((sum, token, index) => sum + probability(from + index, token), 0);
}

/**
 * Writes words of the speaker's vocabulary where the recognized ones sound like them, and where the model finds them
 * nearly as likely as its own.
 * @param samples what the words were recognized in
 */
export async function preferVocabulary(
  { moonshine, aligner }: { moonshine: Moonshine; aligner: Decoder },
  samples: Float32Array,
  recognized: readonly WrittenWord[],
  vocabulary: readonly string[],
): Promise<WrittenWord[]> {
  if (vocabulary.length === 0) return [...recognized];
  const words = recognized.map((word) => ({
    ...word,
    phones: phonesOf(aligner, word.word),
    tokens: tokensOf(word.word),
  }));
  const places = findPlaces(aligner, words, vocabulary);
  if (places.length === 0) return [...recognized];

  const tokensIn = (start: number, end: number) => words.slice(start, end).flatMap(({ tokens }) => tokens);
  const reading = await readAlong(moonshine, samples, tokensIn(0, words.length));
  const likely: (Place & { gain: number })[] = [];
  let questions = 0;
  for (const place of places) {
    const from = tokensIn(0, place.start).length;
    const last = Math.min(words.length, place.end + FOLLOWING_WORDS);
    const ends = last === words.length;
    const own = sumOf(reading.probability, from, tokensIn(place.start, last), ends);
    // A word is never likelier than its first token, of which the probability is known.
    const margin = marginOf(place, words.slice(place.start, place.end));
    if (reading.probability(from, place.tokens[0] ?? null) - own < -margin) continue;
    if (++questions > MAX_QUESTIONS) break;
    const tokens = [...place.tokens, ...tokensIn(place.end, last)];
    const gain = sumOf(await reading.instead(from, tokens), 0, tokens, ends) - own;
    if (gain >= -margin) likely.push({ ...place, gain });
  }
  return replaceAt(recognized, likely);
}

/** Replaces the likeliest places, of those that overlap only one. */
function replaceAt(
  words: readonly WrittenWord[],
  places: readonly (Place & { gain: number })[],
): WrittenWord[] {
  const taken: Place[] = [];
  for (const place of [...places].sort((a, b) => b.gain - a.gain)) {
    if (taken.every(({ start, end }) => place.end <= start || place.start >= end)) taken.push(place);
  }
  const result: WrittenWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const place = taken.find(({ start }) => start === index);
    const replaced = words.slice(index, place?.end ?? index + 1);
    const confidence = Math.min(...replaced.map((word) => word.confidence));
    result.push(place ? { word: place.word, confidence } : (replaced[0] as WrittenWord));
    if (place) index = place.end - 1;
  }
  return result;
}
