import type { Inngest } from 'inngest';
import type { MediaProbe } from '@/lib/media/probe';
import { entryRemoved, videoReady } from '@/lib/outbox/events';
import { removeCachedCopies } from '@/lib/processing/entry-files';
import { probeVideo, publishStoryboard, publishWaveform } from '@/lib/processing/previews';
import { deleteRemux, hasRemux, runEntryStep } from '@/lib/processing/video';

/**
 * Makes the previews of a video that can be played, and deletes the remux. A function of its own, so that a
 * restore from the trash can start it again without encoding the video anew.
 */
export function finishVideo(client: Inngest) {
  return client.createFunction(
    {
      id: 'finish-video',
      triggers: [videoReady],
      retries: 4,
      concurrency: [{ limit: 4 }, { limit: 2, key: 'event.data.userId' }],
      cancelOn: [{ event: entryRemoved, match: 'data.entryId' }],
      onFailure: ({ event }) => removeCachedCopies(event.data.event.data.entryId, 'video.mp4'),
    },
    async ({ event, step, attempt }) => {
      const entry = event.data;
      const probed = await step.run('probe', () => runEntryStep(entry, attempt, () => probeVideo(entry)));
      if ('gone' in probed) return;
      if ('done' in probed) {
        const video = probed.done as MediaProbe;
        // Without them the player has a plain bar, so a refusal of one stops nothing else.
        await step.run('storyboard', () =>
          runEntryStep(entry, attempt, () => publishStoryboard(entry, video)),
        );
        await step.run('waveform', () => runEntryStep(entry, attempt, () => publishWaveform(entry, video)));
      }
      await step.run('tidy', () => removeCachedCopies(entry.entryId, 'video.mp4'));
      if (await step.run('check-remux', () => hasRemux(entry))) {
        // People watching the remux may watch it to the end.
        await step.sleep('wait-for-viewers', '2h');
        await step.run('delete-remux', () => deleteRemux(entry));
      }
    },
  );
}
