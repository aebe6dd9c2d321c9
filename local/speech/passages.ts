import { frameRate } from './voice';

/** Frames `[from, to)` of audio with sound, and a little of the silence around it. */
export type Passage = { from: number; to: number };

/** In frames. Shorter pauses stay inside a passage, because engines work better with context. */
const longestPause = 1.5 * frameRate;
/** In frames. Whisper takes 30 s at once, and pocketsphinx's memory grows with the length. */
const longestPassage = 26 * frameRate;
/** How far from an even split to look for a quiet moment, in frames. */
const widestShift = 3 * frameRate;
/** Silence kept around a passage, so that soft starts and ends aren't cut, in frames. */
const margin = 0.3 * frameRate;
/** Shorter sounds are clicks. In frames. */
const leastSound = 0.1 * frameRate;

/** Returns the level above which a frame counts as sound, in dB below full scale, from a file's levels. */
export function soundThreshold(levels: Float32Array): number {
  const sorted = Float32Array.from(levels).sort();
  const floor = sorted[Math.floor(sorted.length * 0.1)] ?? -100;
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? -100;
  // Speech without pauses has no noise floor, so its own level counts too.
  return Math.max(-65, Math.min(floor + 8, loud - 12));
}

/** Splits audio at its pauses, or at its quietest moment if it has none. */
export function findPassages(levels: Float32Array): Passage[] {
  const threshold = soundThreshold(levels);
  const passages: (Passage & { sound: number })[] = [];
  for (let frame = 0; frame < levels.length; frame++) {
    if ((levels[frame] ?? -100) < threshold) continue;
    const last = passages.at(-1);
    if (last && frame - last.to <= longestPause) {
      last.to = frame + 1;
      last.sound++;
    } else {
      passages.push({ from: frame, to: frame + 1, sound: 1 });
    }
  }
  return passages
    .filter(({ sound }) => sound >= leastSound)
    .map(({ from, to }) => ({ from: Math.max(0, from - margin), to: Math.min(levels.length, to + margin) }))
    .flatMap((passage) => split(levels, passage));
}

/** Splits a passage into parts of similar length, because a short rest has too little to analyze. */
function split(levels: Float32Array, { from, to }: Passage): Passage[] {
  const count = Math.ceil((to - from) / longestPassage);
  if (count <= 1) return [{ from, to }];
  const about = Math.round(from + (to - from) / count);
  const cut = quietest(levels, about - widestShift, about + widestShift);
  return [{ from, to: cut }, ...split(levels, { from: cut, to })];
}

/** Returns the middle of the quietest 200 ms between two frames. */
function quietest(levels: Float32Array, from: number, to: number): number {
  const width = 0.2 * frameRate;
  let best = from;
  let least = Infinity;
  for (let start = from; start + width <= to; start++) {
    let sum = 0;
    for (let frame = start; frame < start + width; frame++) sum += levels[frame] ?? -100;
    if (sum < least) [least, best] = [sum, start];
  }
  return best + width / 2;
}
