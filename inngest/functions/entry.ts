import { type Inngest, RetryAfterError } from 'inngest';
import type { MediaProbe } from '@/lib/media/probe';
import {
  entryPurged,
  entryRemoved,
  entryUploaded,
  transcriptRequested,
  videoReady,
} from '@/lib/outbox/events';
import { type EntryRef, purgeObjects, removeCachedCopies } from '@/lib/processing/entry-files';
import { probeVideo, publishStoryboard, publishWaveform } from '@/lib/processing/previews';
import {
  publishSpeechAudio,
  publishTranscript,
  type SpeechObject,
  transcribePart,
} from '@/lib/processing/speech';
import { removeUnusedCopies } from '@/lib/processing/stale-files';
import {
  deleteRemux,
  failVideo,
  hasRemux,
  needsTranscode,
  probeSource,
  publishRemux,
  publishThumbnail,
  publishVideo,
  runEntryStep,
  type StepOutcome,
} from '@/lib/processing/video';
import { withSafeMessage } from '@/lib/safe-error';
import { SpeechError, type SpeechErrorKind, speechErrorKind } from '@/lib/services/speech-error';
import { failTranscript } from '@/lib/transcripts/service';

const FAILED_MESSAGE = 'Something went wrong on our end, but your original upload is safe.';

/** Turns an uploaded file into a video that every browser plays. Requests its transcript, and then its previews. */
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

      // Unique to this run, since a restored entry needs its transcript again.
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

/**
 * Makes the previews of a finished video, and deletes the remux. Separate from {@link processVideo}, so that a restore
 * from the trash can restart it without encoding the video again.
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
        // Optional: without them, the player has a plain bar.
        await step.run('storyboard', () =>
          runEntryStep(entry, attempt, () => publishStoryboard(entry, video)),
        );
        await step.run('waveform', () => runEntryStep(entry, attempt, () => publishWaveform(entry, video)));
      }
      await step.run('tidy', () => removeCachedCopies(entry.entryId, 'video.mp4'));
      if (await step.run('check-remux', () => hasRemux(entry))) {
        // Someone may still be watching the remux.
        await step.sleep('wait-for-viewers', '2h');
        await step.run('delete-remux', () => deleteRemux(entry));
      }
    },
  );
}

const UNFINISHED = 'We couldn’t finish the transcript. Try again in a few minutes.';

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
  return (kind && FAILURE_MESSAGES[kind]) ?? UNFINISHED;
}

/**
 * Transcribes one part, and tells Inngest which errors of the speech service are worth a retry.
 * @returns the part's index; its words go to the database, since steps must not return any text
 */
async function runTranscribeStep(
  entry: EntryRef,
  attempt: number,
  part: SpeechObject,
  index: number,
): Promise<StepOutcome<number>> {
  try {
    const heard = await runEntryStep(entry, attempt, () => transcribePart(entry, part, index));
    if (!('done' in heard)) return heard;
    return heard.done ? { done: index } : { gone: true };
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    if (error.kind === 'rejected' || error.kind === 'not_configured') return { refused: error.message };
    if (error.kind === 'rate_limited' && error.retryAfterSeconds !== undefined) {
      const later = new RetryAfterError(error.message, error.retryAfterSeconds * 1000, { cause: error });
      throw withSafeMessage(Object.assign(later, { name: error.name }));
    }
    throw error;
  }
}

/** Transcribes an entry. */
export function transcribe(client: Inngest) {
  return client.createFunction(
    {
      id: 'transcribe',
      triggers: [transcriptRequested],
      retries: 5,
      concurrency: [{ limit: 4 }, { limit: 2, key: 'event.data.userId' }],
      cancelOn: [{ event: entryRemoved, match: 'data.entryId' }],
      onFailure: async ({ event, error }) => {
        const { entryId } = event.data.event.data;
        await failTranscript(entryId, failureMessage(error));
        await removeUnusedCopies(entryId);
      },
    },
    async ({ event, step, attempt }) => {
      const entry = event.data;
      const refuse = (sentence: string) =>
        step.run('refuse', async () => {
          await failTranscript(entry.entryId, sentence);
          await removeUnusedCopies(entry.entryId);
        });

      const sound = await step.run('sound', () =>
        runEntryStep(entry, attempt, () => publishSpeechAudio(entry)),
      );
      if ('gone' in sound) return;
      if ('refused' in sound) return refuse(sound.refused);

      for (const [index, part] of sound.done.entries()) {
        // Renamed when words moved to the database, so that older runs transcribe their parts again.
        const heard = await step.run(`transcribe-${index}`, () =>
          runTranscribeStep(entry, attempt, part, index),
        );
        if ('refused' in heard) return refuse(heard.refused);
        if ('gone' in heard) return;
      }
      await step.run('publish', () => publishTranscript(entry, sound.done));
      await step.run('tidy', () => removeUnusedCopies(entry.entryId));
    },
  );
}

/** Deletes the objects of a permanently deleted entry. */
export function purgeEntryObjects(client: Inngest) {
  return client.createFunction(
    { id: 'purge-objects', triggers: [entryPurged], retries: 20 },
    async ({ event, step }) => {
      await step.run('delete', () => purgeObjects(event.data));
      await step.run('tidy', () => removeCachedCopies(event.data.entryId));
    },
  );
}
