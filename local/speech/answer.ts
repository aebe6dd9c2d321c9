import type { SpokenWord, Transcript } from './engine';

/** Returns the body of OpenAI's `verbose_json` response with words and segments. Times are in seconds. */
export function formatTranscript({ language, duration, segments }: Transcript) {
  const words = segments.flatMap((segment) => segment.words);
  return {
    task: 'transcribe',
    language,
    duration: rounded(duration),
    text: textOf(words),
    words: words.map((word) => ({ ...word, start: rounded(word.start), end: rounded(word.end) })),
    segments: segments.map((segment, id) => ({
      id,
      start: rounded(segment.start),
      end: rounded(segment.end),
      text: ` ${textOf(segment.words)}`,
    })),
  };
}

function textOf(words: SpokenWord[]): string {
  return words.map(({ word }) => word).join(' ');
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
