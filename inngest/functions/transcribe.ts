import { type Inngest, RetryAfterError } from 'inngest';
import { entryRemoved, transcriptRequested } from '@/lib/outbox/events';
import {
  publishSpeechAudio,
  publishTranscript,
  type SpeechObject,
  transcribePart,
} from '@/lib/processing/speech';
import { removeUnusedCopies } from '@/lib/processing/stale-files';
import { runEntryStep, type StepOutcome } from '@/lib/processing/video';
import type { EntryRef } from '@/lib/processing/workspace';
import { withSafeMessage } from '@/lib/safe-error';
import { SpeechError, type SpeechErrorKind, speechErrorKind } from '@/lib/services/speech-error';
import { failTranscript } from '@/lib/transcripts/service';

const UNFINISHED = 'We couldn’t finish the transcript. Try again in a few minutes.';

/** What the person reads once the retries are used up, by what the last one failed with. */
const FAILURE_MESSAGES: Partial<Record<SpeechErrorKind, string>> = {
  unavailable: 'We couldn’t reach the speech service. Try again later.',
  rate_limited: 'The speech service is busy right now. Try again in a few minutes.',
  nonsense: 'The speech service didn’t return a transcript. Try again later.',
};

/** Returns the sentence for an error as it comes back from the job service. */
function failureMessage(error: Error): string {
  const kind = speechErrorKind(error);
  // Anything but the speech service is ours: a query, storage, ffmpeg or a bug.
  return (kind && FAILURE_MESSAGES[kind]) ?? UNFINISHED;
}

/**
 * Asks the speech service for the words of one part, and tells Inngest which of its errors are worth another try.
 * @returns the part's index; its words go to the database, as steps must return no text
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

/** Turns the sound of an entry into words. */
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
        // Another name than before words went to the database: a run from then hears its parts again.
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
