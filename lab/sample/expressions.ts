import { seededRandom } from '@/local/demo/speech-generator';
import type { Eyes, Mouth } from './person';
import { VOICE_RATE } from './voice';

/** Frames a second. */
export const FRAME_RATE = 25;

/** A mouth holds a shape this many frames: faster looks like chattering. */
const HOLD = 2;

interface Face {
  mouth: Mouth;
  eyes: Eyes;
}

/** The loudness of a stretch of sound, and how often it changes its sign, from 0 to 1: high for “s”, low for “oo”. */
function measure(samples: Float32Array): { level: number; crossings: number } {
  let [power, crossings] = [0, 0];
  for (let index = 1; index < samples.length; index += 1) {
    const [before, now] = [samples[index - 1] as number, samples[index] as number];
    power += now * now;
    if (before < 0 !== now < 0) crossings += 1;
  }
  return { level: Math.sqrt(power / samples.length), crossings: crossings / samples.length };
}

/** Returns a mouth's shape for a loudness of 0 to 1. */
function shapeOf(level: number, crossings: number, roundness: number): Mouth {
  if (level < 0.05) return 'closed';
  if (crossings > 0.12) return 'teeth';
  if (level < 0.22) return 'slight';
  if (level < 0.5) return roundness < 0.3 ? 'round' : 'middle';
  return roundness < 0.16 ? 'round' : roundness < 0.55 ? 'middle' : 'wide';
}

/** Returns when somebody blinks: the eyes of each frame. */
function blinks(frames: number, random: () => number): Eyes[] {
  const eyes = new Array<Eyes>(frames).fill('open');
  const blink: Eyes[] = ['half', 'closed', 'closed', 'half'];
  let at = FRAME_RATE * (0.8 + random());
  while (at < frames - blink.length) {
    for (const [index, state] of blink.entries()) eyes[Math.round(at) + index] = state;
    at += FRAME_RATE * (2.2 + random() * 2.6);
  }
  return eyes;
}

/** Returns the face of every frame while this is said. The same sound and seed always give the same faces. */
export function facesFor(samples: Float32Array, seed: number): Face[] {
  const random = seededRandom(seed);
  const frames = Math.ceil((samples.length / VOICE_RATE) * FRAME_RATE);
  const perShape = (VOICE_RATE / FRAME_RATE) * HOLD;
  const sounds = Array.from({ length: Math.ceil(frames / HOLD) }, (_, index) =>
    measure(samples.subarray(index * perShape, (index + 1) * perShape)),
  );
  const loud = [...sounds].sort((one, other) => one.level - other.level)[Math.floor(sounds.length * 0.95)];
  const shapes = sounds.map(({ level, crossings }) =>
    shapeOf(level / (loud?.level || 1), crossings, random()),
  );
  // A short pause inside a sentence doesn't make anybody smile.
  const mouths = shapes.map((shape, index): Mouth => {
    const speaks = (other: Mouth | undefined) => other !== undefined && other !== 'closed';
    const inside = speaks(shapes[index - 1]) || speaks(shapes[index + 1]);
    return shape === 'closed' && inside ? 'slight' : shape;
  });
  return blinks(frames, random).map((eyes, frame) => ({
    eyes,
    mouth: mouths[Math.floor(frame / HOLD)] ?? 'closed',
  }));
}
