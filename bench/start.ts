import type { Part } from './bench';
import { figure, inTurn } from './figures';

const PROMISED_SECONDS = 10;
const ROUNDS = 3;

/** `npm run up` once more with nothing changed: how long until it says that it is ready. */
export const start: Part = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    const { ours } = await inTurn(ROUNDS, { ours: async () => (await bench.restartApp()).secondsToReady });
    return [figure('second start, to "Ready on"', { unit: 's', ours, limit: PROMISED_SECONDS, bar: 1 })];
  },
};
