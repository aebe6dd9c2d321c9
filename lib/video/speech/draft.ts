import { meanLogProbability, seemsEnglish } from './language';
import { suggestTitle } from './title';
import type { RecognizedPassage } from './types';

/** A transcript that was made while recording, as `POST /entry/:id/transcription` takes it, with a title for it. */
export interface DraftTranscript {
  /** In order of time. Times are in seconds with at most 3 decimals. */
  words: { word: string; startTime: number; endTime: number }[];
  /** The mean natural log-probability of the tokens. */
  logProbability: number;
  title: string | null;
}

const MAX_WORDS = 100_000;

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/**
 * Returns what was heard in a recording, or null if that's nothing or another language.
 * @param length of the recording in seconds, which no word exceeds
 */
export function draftTranscript(
  passages: readonly RecognizedPassage[],
  length = Number.POSITIVE_INFINITY,
): DraftTranscript | null {
  const words: DraftTranscript['words'] = [];
  for (const { word, start, end } of passages.flatMap((passage) => passage.words).slice(0, MAX_WORDS)) {
    const startTime = milliseconds(Math.min(Math.max(start, words.at(-1)?.startTime ?? 0), length));
    words.push({ word, startTime, endTime: milliseconds(Math.min(Math.max(end, startTime), length)) });
  }
  const evidence = passages.map((passage) => ({ ...passage, words: passage.words.map(({ word }) => word) }));
  if (words.length === 0 || !seemsEnglish(evidence)) return null;
  const logProbability = Math.min(0, meanLogProbability(passages).logProbability ?? 0);
  return { words, logProbability, title: suggestTitle(words) };
}
