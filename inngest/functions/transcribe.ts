import { type Inngest, RetryAfterError } from 'inngest';
import { entryRemoved, transcriptWanted } from '@/inngest/events';
import {
  publishSpeechAudio,
  publishTranscript,
  type SpeechObject,
  transcribePart,
} from '@/lib/processing/speech';
import { removeUnneededCopies } from '@/lib/processing/stale-files';
import { attemptOn, type Outcome } from '@/lib/processing/video';
import type { EntryRef } from '@/lib/processing/workspace';
import type { Transcription } from '@/lib/services/speech-answer';
import { SpeechError } from '@/lib/services/speech-error';
import { failTranscript } from '@/lib/transcripts/service';

const GAVE_UP = 'The speech service could not be reached. Please try again later.';

/** Asks the speech service, and tells Inngest which of its errors are worth another try. */
async function listen(entry: EntryRef, part: SpeechObject): Promise<Outcome<Transcription>> {
  try {
    return { done: await transcribePart(entry, part) };
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    if (error.kind === 'rejected' || error.kind === 'not_configured') return { refused: error.message };
    if (error.kind === 'rate_limited' && error.retryAfterSeconds !== undefined) {
      throw new RetryAfterError(error.message, error.retryAfterSeconds * 1000, { cause: error });
    }
    throw error;
  }
}

/** From the sound of an entry to its words. */
export function transcribe(client: Inngest) {
  return client.createFunction(
    {
      id: 'transcribe',
      triggers: [transcriptWanted],
      retries: 5,
      concurrency: [{ limit: 4 }, { limit: 2, key: 'event.data.userId' }],
      cancelOn: [{ event: entryRemoved, match: 'data.entryId' }],
      onFailure: async ({ event }) => {
        const { entryId } = event.data.event.data;
        await failTranscript(entryId, GAVE_UP);
        await removeUnneededCopies(entryId);
      },
    },
    async ({ event, step, attempt }) => {
      const entry = event.data;
      const refuse = (sentence: string) =>
        step.run('refuse', async () => {
          await failTranscript(entry.entryId, sentence);
          await removeUnneededCopies(entry.entryId);
        });

      const sound = await step.run('sound', () => attemptOn(entry, attempt, () => publishSpeechAudio(entry)));
      if ('gone' in sound) return;
      if ('refused' in sound) return refuse(sound.refused);

      const heard: Transcription[] = [];
      for (const [index, part] of sound.done.entries()) {
        const said = await step.run(`listen-${index}`, () => listen(entry, part));
        if ('refused' in said) return refuse(said.refused);
        if ('gone' in said) return;
        heard.push(said.done);
      }
      await step.run('publish', () => publishTranscript(entry, sound.done, heard));
      await step.run('tidy', () => removeUnneededCopies(entry.entryId));
    },
  );
}
