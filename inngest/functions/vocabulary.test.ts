import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import { vocabularyOf } from '@/lib/journal/transcripts/vocabulary';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { makeEntry, makeUser } from '@/test/factories';
import { startJobFixture } from '@/test/job-fixture';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

it('learns from a correction whose request is over, and tells the job service no word of it', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { durationMs: null });
  const words = storedWords('I called Chevonne today');
  await publishTranscript({ userId, entryId }, { words, language: 'en', estimated: false, engine: null });
  await saveTranscription(userId, entryId, said('I called Siobhan today'));
  await deliverOutbox();
  const run = await jobs.endOf('learn-words');
  expect(run).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(run)).not.toContain('Siobhan');
  expect(await vocabularyOf(userId)).toEqual(['Siobhan']);
});
