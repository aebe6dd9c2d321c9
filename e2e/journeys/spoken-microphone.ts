import { spokenMicrophone } from '@/test/media/spoken-microphone';
import { test as base } from '../fixtures';

/** Tests whose browser has a microphone in which somebody reads aloud, once or with `speechRepeats` again and again. */
export const test = base.extend<object, { speechRepeats: boolean }>({
  speechRepeats: [false, { scope: 'worker', option: true }],
  launchOptions: [
    async ({ launchOptions, speechRepeats }, use) => {
      const microphone = await spokenMicrophone({ repeats: speechRepeats });
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...microphone] });
    },
    { scope: 'worker' },
  ],
});
