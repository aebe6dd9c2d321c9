import type { Inngest } from 'inngest';
import type { MediaProbe } from '@/lib/media/probe';
import { entryRemoved, entryUploaded, transcriptWanted, videoReady } from '@/lib/outbox/events';
import { removeUnneededCopies } from '@/lib/processing/stale-files';
import {
  attemptOn,
  failVideo,
  isSlow,
  probeSource,
  publishFirstCopy,
  publishThumbnail,
  publishVideo,
} from '@/lib/processing/video';

const GAVE_UP = 'Daylight could not prepare this video. What you uploaded is kept safe.';

/** From the uploaded file to something every browser plays. Its words and previews have functions of their own. */
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
        await removeUnneededCopies(entry.entryId);
      },
    },
    async ({ event, step, attempt, runId }) => {
      const entry = event.data;
      const refuse = (sentence: string) =>
        step.run('refuse', async () => {
          await failVideo(entry, sentence);
          await removeUnneededCopies(entry.entryId);
        });

      const probed = await step.run('probe', () => attemptOn(entry, attempt, () => probeSource(entry)));
      if ('gone' in probed) return;
      if ('refused' in probed) return refuse(probed.refused);
      const source = probed.done as MediaProbe | 'held';
      if (source === 'held') {
        await step.run('tidy', () => removeUnneededCopies(entry.entryId));
        return;
      }

      // An id of this run's own: after a restore, the words are wanted again.
      await step.sendEvent('want-transcript', transcriptWanted.create(entry, { id: `words-${runId}` }));
      await step.run('thumbnail', () => attemptOn(entry, attempt, () => publishThumbnail(entry, source)));
      if (isSlow(source)) {
        await step.run('first-copy', () => attemptOn(entry, attempt, () => publishFirstCopy(entry, source)));
      }
      const made = await step.run('video', () =>
        attemptOn(entry, attempt, () => publishVideo(entry, source)),
      );
      if ('refused' in made) return refuse(made.refused);
      await step.run('tidy', () => removeUnneededCopies(entry.entryId));
      if ('done' in made && made.done) {
        await step.sendEvent('video-ready', videoReady.create(entry, { id: `ready-${runId}` }));
      }
    },
  );
}
