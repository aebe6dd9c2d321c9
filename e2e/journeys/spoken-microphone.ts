import { spokenMicrophone } from '@/test/media/spoken-microphone';
import { test as base } from '../fixtures';

/** Tests whose browser has a microphone in which somebody reads aloud. */
export const test = base.extend({
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...(await spokenMicrophone())] });
    },
    { scope: 'worker' },
  ],
});
