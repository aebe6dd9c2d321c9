import type { Benchmark } from './bench';
import { interleave, measurement } from './measurements';

const LIMIT_SECONDS = 10;
const ROUNDS = 3;

/** `npm run up` once more with nothing changed: how long until it says that it is ready. */
export const startupBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    const { ours } = await interleave(ROUNDS, {
      ours: async () => (await bench.restartApp()).secondsToReady,
    });
    return [measurement('second start, to "Ready on"', { unit: 's', ours, limit: LIMIT_SECONDS, bar: 1 })];
  },
};
