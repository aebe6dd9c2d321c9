/** The latest samples of a stream, by their place in the whole stream. */
export interface SampleBuffer {
  append(samples: Float32Array): void;
  /** The number of samples so far, with those that were dropped. */
  length(): number;
  /** Returns a copy. What was dropped or hasn't come yet is left out. */
  slice(from: number, to: number): Float32Array<ArrayBuffer>;
  /** Forgets the samples before this one. */
  dropBefore(from: number): void;
}

const SMALLEST = 1 << 16;

/** Creates an empty buffer, which grows as needed. */
export function createSampleBuffer(): SampleBuffer {
  let store = new Float32Array(SMALLEST);
  /** The place in the stream of the first sample in the store, and the number of samples in it. */
  let [first, kept] = [0, 0];
  return {
    append(samples) {
      if (kept + samples.length > store.length) {
        const larger = new Float32Array(2 * (kept + samples.length));
        larger.set(store.subarray(0, kept));
        store = larger;
      }
      store.set(samples, kept);
      kept += samples.length;
    },
    length: () => first + kept,
    slice: (from, to) => store.slice(Math.max(0, from - first), Math.min(kept, to - first)),
    dropBefore(from) {
      const dropped = Math.min(Math.max(0, from - first), kept);
      if (dropped === 0) return;
      store.copyWithin(0, dropped, kept);
      first += dropped;
      kept -= dropped;
    },
  };
}
