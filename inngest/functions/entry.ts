import type { Inngest } from 'inngest';
import { type SpeechErrorKind, speechErrorKind } from '@/lib/clients/speech-error';
import { TRANSCRIPT_FAILED } from '@/lib/journal/transcripts/service';
import type { EntryRef, JobKind } from '@/lib/messaging/outbox/entry-jobs';
import {
  accountClosed,
  entryRemoved,
  entryUploaded,
  transcriptRequested,
  videoReady,
} from '@/lib/messaging/outbox/events';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { endPreviews } from '@/lib/video/previews/service';
import { type EntryStep, removeCachedCopies } from '@/lib/video/processing/entry-files';
import * as remux from '@/lib/video/processing/remux';
import { publishSmallVideo } from '@/lib/video/processing/small-video';
import * as speech from '@/lib/video/processing/speech';
import { removeUnusedCopies } from '@/lib/video/processing/stale-files';
import { runEntryStep, STEP_RETRIES, type StepOutcome, UNAVAILABLE } from '@/lib/video/processing/step';
import * as video from '@/lib/video/processing/video';
import { needsTranscode } from '@/lib/video/processing/video-time';
import { STEP_CONCURRENCY } from '@/lib/video/processing/watchdog';

type JobStart = EntryRef & { generation?: number | undefined };
type Fail = (entry: EntryRef, sentence: string, generation: number) => Promise<void>;

/** Returns the options that every function here has in common. */
const commonOptions = () => ({
  // Most are for waiting until a service is back; `runEntryStep` limits the others.
  retries: STEP_RETRIES as typeof STEP_RETRIES,
  concurrency: [
    { limit: STEP_CONCURRENCY.all },
    { limit: STEP_CONCURRENCY.perUser, key: 'event.data.userId' },
  ] as [{ limit: number }, { limit: number; key: string }],
  cancelOn: [
    { event: entryRemoved, match: 'data.entryId' },
    { event: accountClosed, match: 'data.userId' },
  ],
});

/** Returns what a run returns, for whoever reads it in the job service's dashboard. */
const ended = ({ entryId }: EntryRef, outcome: string) => ({ entryId, outcome });

/** Says why a run ended early, for the same reader. */
const STOPPED = {
  removed: 'Stopped: the entry is in the trash or was deleted. Nothing to do.',
  superseded: 'Stopped: a newer run is doing this job. Nothing to do.',
  replaced: 'Stopped: another attempt has taken over. Nothing to do.',
  finished: 'Nothing to do: an earlier run already finished this.',
  waiting: 'Waiting: there’s no usable ffmpeg where this ran. The job starts again once there is.',
};

/** Returns what runs the steps of a run; see {@link runEntryStep}. */
function stepsOf(
  kind: JobKind,
  { event, runId, attempt }: { event: { data: JobStart }; runId: string; attempt: number },
) {
  const { entryId, userId, generation = 0 } = event.data;
  const run = { kind, entryId, userId, generation, runId, attempt };
  return <T>(work: (step: EntryStep) => Promise<T>): Promise<StepOutcome<T>> => runEntryStep(run, work);
}

/** Ends a job that can't succeed, with a sentence for the owner. If a service was away, the watchdog starts it again. */
async function failJob(
  fail: Fail,
  { generation = 0, ...entry }: JobStart,
  sentence: string,
  error?: Error,
): Promise<void> {
  if (error?.name !== UNAVAILABLE) await fail(entry, sentence, generation);
  await removeUnusedCopies(entry.entryId);
}

/** Returns what ends a run because of the file itself. */
const refuseBy =
  (fail: Fail, step: { run(id: string, work: () => Promise<void>): unknown }, entry: JobStart) =>
  async (sentence: string) => {
    await step.run('refuse', () => failJob(fail, entry, sentence));
    return ended(entry, `Failed, and the owner was told: ${sentence}`);
  };

const failVideo: Fail = (entry, sentence, generation) => video.failVideo(entry, sentence, { generation });

/** Turns an uploaded file into a video that every browser plays. Requests its transcript, and then its previews. */
export function processVideo(client: Inngest) {
  return client.createFunction(
    {
      id: 'process-video',
      name: 'Prepare an uploaded video',
      triggers: [entryUploaded],
      ...commonOptions(),
      onFailure: ({ event, error }) => failJob(failVideo, event.data.event.data, video.VIDEO_FAILED, error),
    },
    async ({ event, step, attempt, runId }) => {
      const entry = event.data;
      const work = stepsOf('video', { event, runId, attempt });
      const tidy = () => step.run('tidy', () => removeUnusedCopies(entry.entryId));
      const refuse = refuseBy(failVideo, step, entry);

      // Renamed when a probe learned of scans, colors, and several sounds, so that older runs probe theirs again.
      const probed = await step.run('probe-file', () => work(video.probeSource));
      if ('stopped' in probed) return ended(entry, STOPPED[probed.stopped]);
      if ('refused' in probed) return refuse(probed.refused);
      const source = probed.done as MediaProbe | 'held';
      if (source === 'held') {
        await tidy();
        return ended(entry, 'On hold: too long for the plan. The job starts again once it fits.');
      }

      await step.run('request-transcript', () => work(speech.requestTranscript));
      const thumbnail = await step.run('thumbnail', () => work((one) => video.publishThumbnail(one, source)));
      // A run that went on without it would be the last one.
      if ('stopped' in thumbnail) return ended(entry, STOPPED[thumbnail.stopped]);
      if (needsTranscode(source)) {
        await step.run('remux', () => work((one) => remux.publishRemux(one, source)));
      }
      const made = await step.run('video', () => work((one) => video.publishVideo(one, source)));
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
      const entry = event.data;
      const work = stepsOf('previews', { event, runId, attempt });
      const probed = await step.run('probe-file', () => work(video.probeVideo));
      if ('stopped' in probed) return ended(entry, STOPPED[probed.stopped]);
      let isRefused = 'refused' in probed;
      if ('done' in probed) {
        const source = probed.done as MediaProbe;
        // Optional: without them, the player has a plain bar.
        await step.run('storyboard', () => work((one) => video.publishStoryboard(one, source)));
        const last = await step.run('waveform', () => work((one) => video.publishWaveform(one, source)));
        isRefused = 'refused' in last;
      }
      if (isRefused) await step.run('end', () => endPreviews(entry));
      if ('done' in probed) {
        const source = probed.done as MediaProbe;
        // Optional, too, whatever goes wrong. It takes longest, so the others are complete by now.
        await step.run('small-video', () => work((one) => publishSmallVideo(one, source))).catch(() => null);
      }
      await step.run('tidy', () => removeCachedCopies(entry.entryId, 'video.mp4'));
      const found = await step.run('check-remux', () => work(remux.hasRemux));
      if ('done' in found && found.done) {
        // Someone may still be watching the remux.
        await step.sleep('wait-for-viewers', '2h');
        await step.run('delete-remux', () => work(remux.deleteRemux));
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
      ...commonOptions(),
      onFailure: ({ event, error }) =>
        failJob(speech.endFailedTranscript, event.data.event.data, failureMessage(error), error),
    },
    async ({ event, step, attempt, runId }) => {
      const entry = event.data;
      const work = stepsOf('transcript', { event, runId, attempt });
      const refuse = refuseBy(speech.endFailedTranscript, step, entry);

      // Renamed when parts got an end, so that older runs extract theirs again.
      const sound = await step.run('extract-speech', () => work(speech.publishSpeechAudio));
      if ('stopped' in sound) return ended(entry, STOPPED[sound.stopped]);
      if ('refused' in sound) return refuse(sound.refused);

      for (const [index, part] of sound.done.entries()) {
        let isDone = false;
        // A slow core needs several steps. Each hears at least one passage.
        for (let round = 0; !isDone; round += 1) {
          // Renamed when words moved to the database, so that older runs transcribe their parts again.
          const id = `transcribe-${index}${round > 0 ? `.${round}` : ''}`;
          const heard = await step.run(id, () => work((one) => speech.transcribePart(one, part, index)));
          if ('refused' in heard) return refuse(heard.refused);
          if ('stopped' in heard) return ended(entry, STOPPED[heard.stopped]);
          isDone = heard.done !== 'unfinished';
        }
      }
      const published = await step.run('publish', () =>
        work((one) => speech.publishTranscript(one, sound.done)),
      );
      if ('refused' in published) return refuse(published.refused);
      await step.run('tidy', async () => {
        await speech.deleteSpeechAudio(entry);
        await removeUnusedCopies(entry.entryId);
      });
      if ('stopped' in published) return ended(entry, STOPPED[published.stopped]);
      return ended(entry, sound.done.length > 0 ? 'The transcript is ready.' : 'The video has no sound.');
    },
  );
}
