import type { Inngest } from 'inngest';
import { indexDeferred, learnFromCorrections } from '@/lib/journal/transcripts/learn';
import { accountClosed, entryRemoved, transcriptCorrected } from '@/lib/messaging/outbox/events';
import { STEP_RETRIES } from '@/lib/video/processing/step';

/** Learns names and terms from corrected transcripts, and indexes very long ones. Inngest bills each step, so there's none. */
export function learnWords(client: Inngest) {
  return client.createFunction(
    {
      id: 'learn-words',
      name: 'Learn words from a corrected transcript',
      triggers: [transcriptCorrected],
      retries: STEP_RETRIES,
      concurrency: [{ limit: 1, key: 'event.data.userId' }],
      cancelOn: [
        { event: entryRemoved, match: 'data.entryId' },
        { event: accountClosed, match: 'data.userId' },
      ],
    },
    async ({ event }) => {
      await indexDeferred(event.data);
      await learnFromCorrections(event.data);
      return { entryId: event.data.entryId, outcome: 'Learned from the corrections so far.' };
    },
  );
}
