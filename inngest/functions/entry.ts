import type { Inngest } from 'inngest';
import type { MediaProbe } from '@/lib/media/probe';
import type { EntryRef, JobKind } from '@/lib/outbox/entry-jobs';
import {
  accountClosed,
  entryPurged,
  entryRemoved,
  entryUploaded,
  transcriptRequested,
  videoReady,
} from '@/lib/outbox/events';
import { type EntryStep, purgeObjects, removeCachedCopies } from '@/lib/processing/entry-files';
import { probeVideo, publishStoryboard, publishWaveform } from '@/lib/processing/previews';
import {
  endFailedTranscript,
  publishSpeechAudio,
  publishTranscript,
  requestTranscript,
  transcribePart,
} from '@/lib/processing/speech';
import { removeUnusedCopies } from '@/lib/processing/stale-files';
import { runEntryStep, STEP_RETRIES, type StepOutcome, UNAVAILABLE } from '@/lib/processing/step';
import {
  deleteRemux,
  failVideo,
  hasRemux,
  needsTranscode,
  probeSource,
  publishRemux,
  publishThumbnail,
  publishVideo,
  VIDEO_FAILED,
} from '@/lib/processing/video';
import { CONCURRENCY } from '@/lib/processing/watchdog';
import { type SpeechErrorKind, speechErrorKind } from '@/lib/services/speech-error';
import { TRANSCRIPT_FAILED } from '@/lib/transcripts/service';

/** What every function that works on an entry has in common. */
const common = () => ({
  // Most are for waiting until a service is back; `runEntryStep` limits the others.
  retries: STEP_RETRIES as typeof STEP_RETRIES,
  concurrency: [{ limit: CONCURRENCY.all }, { limit: CONCURRENCY.perUser, key: 'event.data.userId' }] as [
    { limit: number },
    { limit: number; key: string },
  ],
  cancelOn: [
    { event: entryRemoved, match: 'data.entryId' },
    { event: accountClosed, match: 'data.userId' },
  ],
});

/** What a run returns, for whoever reads it in the job service's dashboard. */
const ended = ({ entryId }: EntryRef, outcome: string) => ({ entryId, outcome });

const STOPPED = {
  removed: 'Stopped: the entry is in the trash or was deleted. Nothing to do.',
  superseded: 'Stopped: a newer run is doing this job. Nothing to do.',
  replaced: 'Stopped: another attempt has taken over. Nothing to do.',
  finished: 'Nothing to do: an earlier run already finished this.',
  waiting: 'Waiting: there’s no usable ffmpeg where this ran. The job starts again once there is.',
};

/** Returns what runs the steps of a run. */
function stepsOf(
  kind: JobKind,
  {
    event,
    runId,
    attempt,
  }: { event: { data: EntryRef & { generation?: number | undefined } }; runId: string; attempt: number },
) {
  const { entryId, userId, generation = 0 } = event.data;
  const run = { kind, entryId, userId, generation, runId, attempt };
  return {
    entry: { entryId, userId },
    generation,
    /** Runs a step; see {@link runEntryStep}. */
    work: <T>(work: (step: EntryStep) => Promise<T>): Promise<StepOutcome<T>> => runEntryStep(run, work),
  };
}

/** Turns an uploaded file into a video that every browser plays. Requests its transcript, and then its previews. */
export function processVideo(client: Inngest) {
  return client.createFunction(
    {
      id: 'process-video',
      name: 'Prepare an uploaded video',
      triggers: [entryUploaded],
      ...common(),
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
export function finishVideo(client: Inngest) {
  return client.createFunction(
    {
      id: 'finish-video',
      name: 'Make the previews of a video',
      triggers: [videoReady],
      ...common(),
      onFailure: ({ event }) => removeCachedCopies(event.data.event.data.entryId, 'video.mp4'),
    },
    async ({ event, step, attempt, runId }) => {
      const { entry, work } = stepsOf('previews', { event, runId, attempt });
      const probed = await step.run('probe', () => work(probeVideo));
      if ('stopped' in probed) return ended(entry, STOPPED[probed.stopped]);
      if ('done' in probed) {
        const video = probed.done as MediaProbe;
        // Optional: without them, the player has a plain bar.
        await step.run('storyboard', () => work((one) => publishStoryboard(one, video)));
        await step.run('waveform', () => work((one) => publishWaveform(one, video)));
      }
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

/** What to tell the person once the retries are used up, by the last one's error. */
const FAILURE_MESSAGES: Partial<Record<SpeechErrorKind, string>> = {
  unavailable: 'We couldn’t reach the speech service. Try again later.',
  rate_limited: 'The speech service is busy right now. Try again in a few minutes.',
  nonsense: 'The speech service didn’t return a transcript. Try again later.',
};

/** Returns what to tell the person about an error that came back from the job service. */
function failureMessage(error: Error): string {
  const kind = speechErrorKind(error);
  // Everything else is our own: a query, storage, ffmpeg, or a bug.
  return (kind && FAILURE_MESSAGES[kind]) ?? TRANSCRIPT_FAILED;
}

/** Transcribes an entry. */
export function transcribe(client: Inngest) {
  return client.createFunction(
    {
      id: 'transcribe',
      name: 'Transcribe an entry',
      triggers: [transcriptRequested],
      ...common(),
      onFailure: async ({ event, error }) => {
        const { generation = 0, ...entry } = event.data.event.data;
        // The watchdog starts it again.
        if (error.name !== UNAVAILABLE) await endFailedTranscript(entry, failureMessage(error), generation);
        await removeUnusedCopies(entry.entryId);
      },
    },
    async ({ event, step, attempt, runId }) => {
      const { entry, generation, work } = stepsOf('transcript', { event, runId, attempt });
      const refuse = async (sentence: string) => {
        await step.run('refuse', async () => {
          await endFailedTranscript(entry, sentence, generation);
          await removeUnusedCopies(entry.entryId);
        });
        return ended(entry, `Failed, and the owner was told: ${sentence}`);
      };

      // Renamed when parts got an end, so that older runs extract theirs again.
      const sound = await step.run('extract-speech', () => work(publishSpeechAudio));
      if ('stopped' in sound) return ended(entry, STOPPED[sound.stopped]);
      if ('refused' in sound) return refuse(sound.refused);

      for (const [index, part] of sound.done.entries()) {
        let isDone = false;
        // A slow core needs several steps. Each hears at least one passage.
        for (let round = 0; !isDone; round += 1) {
          // Renamed when words moved to the database, so that older runs transcribe their parts again.
          const id = `transcribe-${index}${round > 0 ? `.${round}` : ''}`;
          const heard = await step.run(id, () => work((one) => transcribePart(one, part, index)));
          if ('refused' in heard) return refuse(heard.refused);
          if ('stopped' in heard) return ended(entry, STOPPED[heard.stopped]);
          isDone = heard.done !== 'unfinished';
        }
      }
      const published = await step.run('publish', () => work((one) => publishTranscript(one, sound.done)));
      if ('refused' in published) return refuse(published.refused);
      await step.run('tidy', () => removeUnusedCopies(entry.entryId));
      if ('stopped' in published) return ended(entry, STOPPED[published.stopped]);
      return ended(entry, sound.done.length > 0 ? 'The transcript is ready.' : 'The video has no sound.');
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
