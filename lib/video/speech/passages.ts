import { type Passage, SAMPLE_RATE, type Voice } from './types';

/** From the start of its first voice to the end of its last. The model was trained on nothing longer than 30 s. */
const LONGEST_SECONDS = 28;
/** How much a cut may move from the longest to find a quieter place. */
const SEARCH_SECONDS = 14;
/** 0.1 s, and how far from the start of one to that of the next. */
const WINDOW = SAMPLE_RATE / 10;
const STEP = WINDOW / 8;

/**
 * Joins voices to passages as long as the model can take, with the pauses between them: the model gets worse with every
 * cut. Speech that's longer without a pause is cut where it's quietest.
 */
export function joinPassages(samples: Float32Array, voices: readonly Voice[]): Passage[] {
  const passages: Passage[] = [];
  for (const { start, end } of voices.flatMap((voice) => splitLong(samples, voice))) {
    const last = passages.at(-1);
    if (last && end - last.start <= LONGEST_SECONDS) {
      last.end = end;
      last.voiced += end - start;
    } else {
      passages.push({ start, end, voiced: end - start });
    }
  }
  return passages;
}

function splitLong(samples: Float32Array, { start, end }: Voice): Voice[] {
  if (end - start <= LONGEST_SECONDS) return [{ start, end }];
  const latest = Math.min(start + LONGEST_SECONDS, end - 1);
  const cut = quietestPoint(samples, latest - SEARCH_SECONDS, latest);
  return [{ start, end: cut }, ...splitLong(samples, { start: cut, end })];
}

/** Returns the middle of the quietest 0.1 s between two times, in seconds. */
export function quietestPoint(samples: Float32Array, from: number, to: number): number {
  const first = Math.round(from * SAMPLE_RATE);
  const last = Math.min(Math.round(to * SAMPLE_RATE), samples.length) - WINDOW;
  let quietest = Number.POSITIVE_INFINITY;
  let at = first;
  for (let window = first; window <= last; window += STEP) {
    let squares = 0;
    for (const sample of samples.subarray(window, window + WINDOW)) squares += sample * sample;
    if (squares < quietest) [quietest, at] = [squares, window];
  }
  return (at + WINDOW / 2) / SAMPLE_RATE;
}
