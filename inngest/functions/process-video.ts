import type { Inngest } from 'inngest';
import { entryRemoved, entryUploaded, transcriptWanted } from '@/inngest/events';
import type { MediaProbe } from '@/lib/media/probe';
import { publishStoryboard, publishWaveform } from '@/lib/processing/previews';
import {
  attemptOn,
  dropFirstCopy,
  failVideo,
  isSlow,
  probeSource,
  publishFirstCopy,
  publishThumbnail,
  publishVideo,
} from '@/lib/processing/video';
import { removeCopies } from '@/lib/processing/workspace';

const GAVE_UP = 'Daylight could not prepare this video. What you uploaded is kept safe.';

/** From the uploaded file to something every browser plays; the words follow in a function of their own. */
export function processVideo(client: Inngest) {
  return client.createFunction(
    {
      id: 'process-video',
      triggers: [entryUploaded],
      retries: 4,
      concurrency: [{ limit: 4 }, { limit: 2, key: 'event.data.userId' }],
      cancelOn: [{ event: entryRemoved, match: 'data.entryId' }],
      onFailure: async ({ event }) => {
        const entry = event.data.event.data;
        await failVideo(entry, GAVE_UP);
        await removeCopies(entry.entryId);
      },
    },
    async ({ event, step, attempt }) => {
      const entry = event.data;
      const refuse = (sentence: string) =>
        step.run('refuse', async () => {
          await failVideo(entry, sentence);
          await removeCopies(entry.entryId);
        });

      const probed = await step.run('probe', () => attemptOn(entry, attempt, () => probeSource(entry)));
      if ('gone' in probed) return;
      if ('refused' in probed) return refuse(probed.refused);
      const source = probed.done as MediaProbe;

      await step.sendEvent(
        'want-transcript',
        transcriptWanted.create(entry, { id: `words-${entry.entryId}` }),
      );
      await step.run('thumbnail', () => attemptOn(entry, attempt, () => publishThumbnail(entry, source)));
      if (isSlow(source)) {
        await step.run('first-copy', () => attemptOn(entry, attempt, () => publishFirstCopy(entry, source)));
      }
      const made = await step.run('video', () =>
        attemptOn(entry, attempt, () => publishVideo(entry, source)),
      );
      if ('refused' in made) return refuse(made.refused);
      if ('done' in made) {
        const video = made.done as MediaProbe;
        // Without them the player has a plain bar: what is refused here refuses nothing else.
        await step.run('storyboard', () => attemptOn(entry, attempt, () => publishStoryboard(entry, video)));
        await step.run('waveform', () => attemptOn(entry, attempt, () => publishWaveform(entry, video)));
      }
      await step.run('tidy', () => removeCopies(entry.entryId));
      if (isSlow(source)) {
        // Whoever watches the first copy may watch it to the end.
        await step.sleep('let-them-watch', '2h');
        await step.run('drop-first-copy', () => dropFirstCopy(entry));
      }
    },
  );
}
