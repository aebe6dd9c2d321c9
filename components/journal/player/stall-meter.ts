/** How long a stall may last, in milliseconds. */
export const MAX_STALL = 3000;
/** How many stalls are too many, and within how many milliseconds. */
const TOO_MANY = 2;
const WINDOW = 30_000;

/** Tells from a video's events whether the connection keeps up with it. Times are in milliseconds, by any clock. */
export interface StallMeter {
  /** Another file is loading. */
  load: () => void;
  /** Someone seeks. Waiting for what isn't buffered there isn't a stall. */
  seek: () => void;
  /** The video should play, but has no data. */
  wait: (at: number) => void;
  /** Someone pauses, who isn't waiting anymore. */
  pause: () => void;
  /** The video plays. */
  play: () => void;
  /** Returns whether a stall, or the wait before the first picture, has been too long, or stalls too many. */
  isTooSlow: (at: number) => boolean;
}

/** Returns a meter of a video that loads. */
export function createStallMeter(): StallMeter {
  let phase: 'loading' | 'seeking' | 'playing' = 'loading';
  let waitingSince: number | null = null;
  let stalls: number[] = [];
  return {
    load() {
      phase = 'loading';
      waitingSince = null;
      stalls = [];
    },
    seek() {
      if (phase === 'playing') phase = 'seeking';
      waitingSince = null;
    },
    wait(at) {
      if (phase === 'seeking' || waitingSince !== null) return;
      waitingSince = at;
      if (phase === 'playing') stalls.push(at);
    },
    pause() {
      waitingSince = null;
    },
    play() {
      phase = 'playing';
      waitingSince = null;
    },
    isTooSlow(at) {
      stalls = stalls.filter((stall) => at - stall <= WINDOW);
      return stalls.length >= TOO_MANY || (waitingSince !== null && at - waitingSince >= MAX_STALL);
    },
  };
}
