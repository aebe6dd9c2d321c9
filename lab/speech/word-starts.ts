import type { Decoder } from 'soundswallower';
import { alignWords } from '@/lib/video/speech/alignment';
import { type RecognizedWord, SAMPLE_RATE } from '@/lib/video/speech/types';
import { plainWords } from '@/test/plain-words';
import type { Recording } from './clips';

/** A word as it's compared, and when it starts. Only the first of several that are written as one has a time. */
export interface TimedWord {
  word: string;
  start: number | null;
}

/** Longer alignments put words into the wrong sentence. */
const LONGEST_SECONDS = 40;
const MARGIN_SECONDS = 0.1;
/** A pause is put in where it's quietest near a word's start, which may be just after it. */
const TOLERANCE_SECONDS = 0.08;
const FRAME = SAMPLE_RATE / 50;

const toTimed = (written: string, start: number | null): TimedWord[] =>
  plainWords(written).map((word, index) => ({ word, start: index === 0 ? start : null }));

export const heardWords = (words: readonly RecognizedWord[]): TimedWord[] =>
  words.flatMap(({ word, start }) => toTimed(word, start));

/**
 * Returns what was said, with the times at which the aligner finds the true text in the clip as it was recorded, before
 * anything was put into it or added to it.
 */
export function saidWords(aligner: Decoder, { text, clip, inserted }: Recording): TimedWord[] {
  const words = text.split(' ').filter(Boolean);
  if (clip.samples.length > LONGEST_SECONDS * SAMPLE_RATE)
    return words.flatMap((word) => toTimed(word, null));
  const { from, to } = loudPart(clip.samples);
  const times = alignWords(aligner, clip.samples.subarray(from, to), words);
  return words.flatMap((word, index) => {
    const start = (times[index]?.start ?? 0) + from / SAMPLE_RATE;
    const later = inserted.reduce(
      (sum, { at, seconds }) => sum + (at <= start + TOLERANCE_SECONDS ? seconds : 0),
      0,
    );
    return toTimed(word, start + later);
  });
}

/** From the first to the last frame that isn't far below the clip's level. The aligner puts words into silence. */
function loudPart(samples: Float32Array): { from: number; to: number } {
  const squaresOf = (part: Float32Array) =>
    part.reduce((sum, sample) => sum + sample * sample, 0) / part.length;
  const threshold = squaresOf(samples) / 100;
  const loud = (at: number) => squaresOf(samples.subarray(at, at + FRAME)) > threshold;
  const margin = MARGIN_SECONDS * SAMPLE_RATE;
  let [from, to] = [0, samples.length - FRAME];
  while (from < to && !loud(from)) from += FRAME;
  while (to > from && !loud(to)) to -= FRAME;
  return { from: Math.max(0, from - margin), to: Math.min(samples.length, to + FRAME + margin) };
}
