import type { Inngest } from 'inngest';
import { type SpeechErrorKind, speechErrorKind } from '@/lib/clients/speech-error';
import { TRANSCRIPT_FAILED } from '@/lib/journal/transcripts/service';
import { transcriptRequested } from '@/lib/messaging/outbox/events';
import {
  deleteSpeechAudio,
  endFailedTranscript,
  publishSpeechAudio,
  publishTranscript,
  transcribePart,
} from '@/lib/video/processing/speech';
import { removeUnusedCopies } from '@/lib/video/processing/stale-files';
import { UNAVAILABLE } from '@/lib/video/processing/step';
import { commonOptions, ended, STOPPED, stepsOf } from './entry-run';

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
      await step.run('tidy', async () => {
        await deleteSpeechAudio(entry);
        await removeUnusedCopies(entry.entryId);
      });
      if ('stopped' in published) return ended(entry, STOPPED[published.stopped]);
      return ended(entry, sound.done.length > 0 ? 'The transcript is ready.' : 'The video has no sound.');
    },
  );
}
