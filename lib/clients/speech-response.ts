import { z } from 'zod';
import { cleanText } from '@/lib/foundation/shared/clean-text';
import { invalidResponseError } from './speech-error';
import { languageTag } from './speech-language';

/**
 * A spoken word. `start` and `end` are seconds from the start of the audio, with at most 3 decimals; `confidence` is
 * 0 to 1 with at most 2, if the engine reports one.
 */
type TranscribedWord = { word: string; start: number; end: number; confidence?: number };

/** What was said, in order. `estimated` means that some words' times were interpolated from their segment. */
export type Transcription = {
  /** BCP 47, or null if the service reported none or something else. */
  language: string | null;
  estimated: boolean;
  words: TranscribedWord[];
  engine: string | null;
};

/** No recording is longer than a day; a later time is in another unit or made up. Seconds. */
const MAX_AUDIO_SECONDS = 86_400;
/** Engines overlap adjacent words and segments slightly; more than this isn't rounding. Seconds. */
const overlap = 1;
/** More than eight hours of the fastest speech, and few enough to keep in memory. */
const MAX_WORDS = 200_000;
const MAX_WORD_LENGTH = 200;

/** faster-whisper, speaches, and whisper.cpp report a word's `probability`; values that aren't one are ignored. */
const wordShape = z
  .object({
    word: z.string(),
    start: z.number(),
    end: z.number(),
    probability: z.number().nullish().catch(null),
  })
  .transform(({ probability, ...word }): TranscribedWord => {
    if (typeof probability !== 'number') return word;
    return { ...word, confidence: Math.round(Math.min(Math.max(probability, 0), 1) * 100) / 100 };
  });
const segmentShape = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
  words: z.array(wordShape).max(MAX_WORDS).nullish(),
});
const answerShape = z.object({
  text: z.string().nullish(),
  language: z.string().nullish(),
  model: z.string().nullish(),
  words: z.array(wordShape).max(MAX_WORDS).nullish(),
  segments: z.array(segmentShape).max(MAX_WORDS).nullish(),
});

type Segment = z.infer<typeof segmentShape>;

/**
 * Parses a `verbose_json` response from OpenAI, Groq, speaches, whisper.cpp, or vLLM. Takes `words` from the top
 * level, or else from the segments, or else splits the segments' text and divides each segment's time among its words
 * by length (then `estimated`). Segments of silence or music produce no words.
 *
 * @throws SpeechError `nonsense` for anything that can't be a transcript
 */
export function parseTranscription(answer: unknown): Transcription {
  const parsed = answerShape.safeParse(answer);
  if (!parsed.success) throw invalidResponseError('not the shape of a transcript');
  const { text, language, model, words: topLevel, segments } = parsed.data;
  const dropped = (segments ?? []).filter((segment) => !isSpoken(segment));

  let words: TranscribedWord[];
  let estimated = false;
  if (topLevel?.length) {
    words = wordsOutsideSegments(joinPunctuation(topLevel), dropped);
  } else if (segments?.length) {
    words = segments.filter(isSpoken).flatMap((segment) => {
      if (segment.words?.length) return joinTokens(segment.words);
      estimated ||= segment.text.trim() !== '';
      return joinPunctuation(interpolate(segment));
    });
  } else if (text?.trim()) {
    throw invalidResponseError('a text without times');
  } else {
    words = [];
  }
  if (words.length > MAX_WORDS) throw invalidResponseError('too many words');
  return {
    language: languageTag(language),
    estimated,
    words: normalizeTimes(words.filter(({ word }) => !isAnnotation(word))),
    engine: model?.trim().slice(0, 100) || null,
  };
}

/**
 * Whisper's own rule for silence (`no_speech_threshold` 0.6 combined with `logprob_threshold` -1, in openai/whisper
 * `transcribe.py`), and segments that contain only an annotation such as `[Music]`.
 */
function isSpoken(segment: Segment): boolean {
  const silent = (segment.no_speech_prob ?? 0) > 0.6 && (segment.avg_logprob ?? 0) < -1;
  return !silent && !/^\s*(\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫\s]+.*[♪♫]|[♪♫]+)\s*$/u.test(segment.text);
}

/** Returns the words whose midpoint isn't in any of the segments. Both must be in time order. */
function wordsOutsideSegments(words: TranscribedWord[], segments: Segment[]): TranscribedWord[] {
  let next = 0;
  return words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    while ((segments[next]?.end ?? Infinity) <= middle) next++;
    return !((segments[next]?.start ?? Infinity) <= middle);
  });
}

/** Returns whether a word is in square brackets or a music note: it describes a sound, and nobody said it. */
function isAnnotation(word: string): boolean {
  return /^\[[^\]]*\][.,]?$|^[♪♫]+$/u.test(word);
}

/** Returns a segment's words, with its time divided by their length in characters. */
function interpolate({ text, start, end }: Segment): TranscribedWord[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const characters = words.reduce((sum, word) => sum + word.length, 0);
  const perCharacter = (end - start) / Math.max(characters, 1);
  let at = start;
  return words.map((word) => {
    const from = at;
    at += word.length * perCharacter;
    return { word, start: from, end: at };
  });
}

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const closing = /^[^\p{L}\p{N}\p{S}]*$/u;
const opening = /^[\p{Ps}\p{Pi}¿¡]+$/u;

/**
 * Joins a segment's tokens into words. If some start with a space (whisper.cpp), one without a space continues the
 * previous word, unless the script doesn't use spaces.
 */
function joinTokens(tokens: TranscribedWord[]): TranscribedWord[] {
  const spaced = tokens.some(({ word }) => /^\s+\S/u.test(word));
  if (!spaced) return joinPunctuation(tokens);
  const joined: TranscribedWord[] = [];
  for (const token of tokens) {
    const previous = joined.at(-1);
    const alone =
      /^\s/u.test(token.word) || spaceless.test(token.word) || spaceless.test(previous?.word ?? '');
    if (!previous || alone) {
      joined.push({ ...token });
    } else {
      previous.word += token.word;
      previous.end = Math.max(previous.end, token.end);
      if (token.confidence !== undefined) {
        previous.confidence = Math.min(previous.confidence ?? 1, token.confidence);
      }
    }
  }
  return joinPunctuation(joined);
}

/** Normalizes words. Punctuation on its own joins the previous word, or the next one if it's an opening mark. */
function joinPunctuation(words: TranscribedWord[]): TranscribedWord[] {
  const joined: TranscribedWord[] = [];
  let prefix: TranscribedWord | undefined;
  for (const { word, start, end, ...sure } of words) {
    const text = (prefix?.word ?? '') + normalizeWord(word);
    const previous = joined.at(-1);
    if (opening.test(text)) {
      prefix = { word: text, start: prefix?.start ?? start, end };
    } else if (!closing.test(text)) {
      joined.push({ ...sure, word: text, start: prefix?.start ?? start, end });
      prefix = undefined;
    } else if (previous) {
      previous.word += text;
      previous.end = Math.max(previous.end, end);
      prefix = undefined;
    }
  }
  return joined;
}

/** Returns a word without halves of cut characters and line breaks. */
const normalizeWord = (word: string): string =>
  cleanText(word.replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffd]/gu, ''));

/** Rounds times to milliseconds, fixes overlaps of up to a second, and rejects what can't be fixed. */
function normalizeTimes(words: TranscribedWord[]): TranscribedWord[] {
  let previous = 0;
  return words.map(({ word, start, end, ...sure }) => {
    if (word.length > MAX_WORD_LENGTH) throw invalidResponseError('a word without end');
    if (start < previous - overlap || end < start - overlap)
      throw invalidResponseError('times that run backwards');
    if (start > MAX_AUDIO_SECONDS || end > MAX_AUDIO_SECONDS)
      throw invalidResponseError('times beyond any recording');
    const from = Math.max(start, previous);
    previous = from;
    return { ...sure, word, start: milliseconds(from), end: milliseconds(Math.max(end, from)) };
  });
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
