import type { Inngest } from 'inngest';
import { entryPurged, entryUploaded, videoReady } from '@/lib/messaging/outbox/events';
import type { MediaProbe } from '@/lib/video/media/probe';
import { endPreviews } from '@/lib/video/previews/service';
import { purgeObjects, removeCachedCopies } from '@/lib/video/processing/entry-files';
import { probeVideo, publishStoryboard, publishWaveform } from '@/lib/video/processing/previews';
import { requestTranscript } from '@/lib/video/processing/speech';
import { removeUnusedCopies } from '@/lib/video/processing/stale-files';
import { STEP_RETRIES, UNAVAILABLE } from '@/lib/video/processing/step';
import {
  deleteRemux,
  failVideo,
  hasRemux,
  probeSource,
  publishRemux,
  publishThumbnail,
  publishVideo,
  VIDEO_FAILED,
} from '@/lib/video/processing/video';
import { needsTranscode } from '@/lib/video/processing/video-time';
import { commonOptions, ended, STOPPED, stepsOf } from './entry-run';

/** Turns an uploaded file into a video that every browser plays. Requests its transcript, and then its previews. */
export function processVideo(client: Inngest) {
  return client.createFunction(
    {
      id: 'process-video',
      name: 'Prepare an uploaded video',
      triggers: [entryUploaded],
      ...commonOptions(),
      onFailure: async ({ event, error }) => {
        const { generation = 0, ...entry } = event.data.event.data;
        // The watchdog starts it again.
        if (error.name !== UNAVAILABLE) await failVideo(entry, VIDEO_FAILED, { generation });
        await removeUnusedCopies(entry.entryId);
      },
    },
    async ({ event, step, attempt, runId }) => {
      const { entry, generation, work } = stepsOf('video', { event, runId, attempt });
      const tidy = () => step.run('tidy', () => removeUnusedCopies(entry.entryId));
      const refuse = async (sentence: string) => {
        await step.run('refuse', async () => {
          await failVideo(entry, sentence, { generation });
          await removeUnusedCopies(entry.entryId);
        });
        return ended(entry, `Failed, and the owner was told: ${sentence}`);
      };

      const probed = await step.run('probe', () => work(probeSource));
      if ('stopped' in probed) return ended(entry, STOPPED[probed.stopped]);
      if ('refused' in probed) return refuse(probed.refused);
      const source = probed.done as MediaProbe | 'held';
      if (source === 'held') {
        await tidy();
        return ended(entry, 'On hold: too long for the plan. The job starts again once it fits.');
      }

      await step.run('request-transcript', () => work(requestTranscript));
      const thumbnail = await step.run('thumbnail', () => work((one) => publishThumbnail(one, source)));
      // A run that went on without it would be the last one.
      if ('stopped' in thumbnail) return ended(entry, STOPPED[thumbnail.stopped]);
      if (needsTranscode(source)) {
        await step.run('remux', () => work((one) => publishRemux(one, source)));
      }
      const made = await step.run('video', () => work((one) => publishVideo(one, source)));
      if ('refused' in made) return refuse(made.refused);
      await tidy();
      if ('stopped' in made) return ended(entry, STOPPED[made.stopped]);
      return ended(entry, 'The video is ready.');
    },
  );
}

/**
 * Makes the previews of a finished video, and deletes the remux. Separate from {@link processVideo}, so that a restore
 * from the trash can restart it without encoding the video again.
 */
export function makePreviews(client: Inngest) {
  return client.createFunction(
    {
      id: 'finish-video',
      name: 'Make the previews of a video',
      triggers: [videoReady],
      ...commonOptions(),
      onFailure: ({ event }) => removeCachedCopies(event.data.event.data.entryId, 'video.mp4'),
    },
    async ({ event, step, attempt, runId }) => {
      const { entry, work } = stepsOf('previews', { event, runId, attempt });
      const probed = await step.run('probe', () => work(probeVideo));
      if ('stopped' in probed) return ended(entry, STOPPED[probed.stopped]);
      let isRefused = 'refused' in probed;
      if ('done' in probed) {
        const video = probed.done as MediaProbe;
        // Optional: without them, the player has a plain bar.
        await step.run('storyboard', () => work((one) => publishStoryboard(one, video)));
        const last = await step.run('waveform', () => work((one) => publishWaveform(one, video)));
        isRefused = 'refused' in last;
      }
      if (isRefused) await step.run('end', () => endPreviews(entry));
      await step.run('tidy', () => removeCachedCopies(entry.entryId, 'video.mp4'));
      const remux = await step.run('check-remux', () => work(hasRemux));
      if ('done' in remux && remux.done) {
        // Someone may still be watching the remux.
        await step.sleep('wait-for-viewers', '2h');
        await step.run('delete-remux', () => work(deleteRemux));
      }
      return ended(
        entry,
        'done' in probed ? 'The previews are ready.' : 'Previews couldn’t be made from this video.',
      );
    },
  );
}

/** Deletes the objects of a permanently deleted entry. */
export function purgeEntryObjects(client: Inngest) {
  return client.createFunction(
    {
      id: 'purge-objects',
      name: 'Delete the files of an entry',
      triggers: [entryPurged],
      retries: STEP_RETRIES,
    },
    async ({ event, step }) => {
      const deleted = await step.run('delete', () => purgeObjects(event.data));
      await step.run('tidy', () => removeCachedCopies(event.data.entryId));
      return ended(event.data, `Deleted ${deleted} objects.`);
    },
  );
}
