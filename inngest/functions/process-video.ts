import type { Inngest } from 'inngest';
import type { MediaProbe } from '@/lib/media/probe';
import { entryRemoved, entryUploaded, transcriptRequested, videoReady } from '@/lib/outbox/events';
import { removeUnusedCopies } from '@/lib/processing/stale-files';
import {
  failVideo,
  needsTranscode,
  probeSource,
  publishRemux,
  publishThumbnail,
  publishVideo,
  runEntryStep,
} from '@/lib/processing/video';

const FAILED_MESSAGE = 'Something went wrong on our end, but your original upload is safe.';

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
        await failVideo(entry, FAILED_MESSAGE);
        await removeUnusedCopies(entry.entryId);
      },
    },
    async ({ event, step, attempt, runId }) => {
      const entry = event.data;
      const refuse = (sentence: string) =>
        step.run('refuse', async () => {
          await failVideo(entry, sentence);
          await removeUnusedCopies(entry.entryId);
        });

      const probed = await step.run('probe', () => runEntryStep(entry, attempt, () => probeSource(entry)));
      if ('gone' in probed) return;
      if ('refused' in probed) return refuse(probed.refused);
      const source = probed.done as MediaProbe | 'held';
      if (source === 'held') {
        await step.run('tidy', () => removeUnusedCopies(entry.entryId));
        return;
      }

      // An id of this run's own: after a restore, the words are wanted again.
      await step.sendEvent('request-transcript', transcriptRequested.create(entry, { id: `words-${runId}` }));
      await step.run('thumbnail', () => runEntryStep(entry, attempt, () => publishThumbnail(entry, source)));
      if (needsTranscode(source)) {
        await step.run('remux', () => runEntryStep(entry, attempt, () => publishRemux(entry, source)));
      }
      const made = await step.run('video', () =>
        runEntryStep(entry, attempt, () => publishVideo(entry, source)),
      );
      if ('refused' in made) return refuse(made.refused);
      await step.run('tidy', () => removeUnusedCopies(entry.entryId));
      if ('done' in made && made.done) {
        await step.sendEvent('video-ready', videoReady.create(entry, { id: `ready-${runId}` }));
      }
    },
  );
}
