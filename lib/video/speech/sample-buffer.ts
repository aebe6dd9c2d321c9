const SMALLEST = 1 << 16;

/** Creates an empty buffer of the latest samples of a stream, by their place in the whole stream. It grows as needed. */
export function createSampleBuffer() {
  let store = new Float32Array(SMALLEST);
  /** The place in the stream of the first sample in the store, and the number of samples in it. */
  let [first, kept] = [0, 0];
  return {
    append(samples: Float32Array): void {
      if (kept + samples.length > store.length) {
        const larger = new Float32Array(2 * (kept + samples.length));
        larger.set(store.subarray(0, kept));
        store = larger;
      }
      store.set(samples, kept);
      kept += samples.length;
    },
    /** Returns the number of samples so far, with those that were dropped. */
    length: () => first + kept,
    /** Returns a copy. What was dropped or hasn't come yet is left out. */
    slice: (from: number, to: number) => store.slice(Math.max(0, from - first), Math.min(kept, to - first)),
    /** Forgets the samples before this one. */
    dropBefore(from: number): void {
      const dropped = Math.min(Math.max(0, from - first), kept);
      if (dropped === 0) return;
      store.copyWithin(0, dropped, kept);
      first += dropped;
      kept -= dropped;
    },
  };
}
