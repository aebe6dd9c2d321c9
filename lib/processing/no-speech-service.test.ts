import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { startJobs } from '@/lib/outbox/entry-jobs';
import { failTranscript, retryTranscription } from '@/lib/transcripts/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { publishSpeechAudio } from './speech';
import { runEntryStep } from './step';

let end: () => Promise<void>;

beforeAll(async () => {
  // Storage points to nothing, too: nothing may be downloaded.
  end = await useFreshDatabase({ settings: { SPEECH_BASE_URL: '' } });
});
afterAll(() => end());

it('fails a transcript at the first attempt where no speech service is set up, each time it’s asked for', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing' });
  const entry = { entryId, userId };
  await startJobs(db(), 'transcript', [entry]);
  for (const generation of [1, 2]) {
    const run = { ...entry, kind: 'transcript', generation, runId: `run-${generation}`, attempt: 0 } as const;
    const refused = 'Transcription isn’t set up on this site yet.';
    expect(await runEntryStep(run, publishSpeechAudio)).toEqual({ refused });
    await failTranscript(entry, refused, generation);
    expect(await retryTranscription(userId, entryId)).toMatchObject({ status: 'processing' });
  }
});
