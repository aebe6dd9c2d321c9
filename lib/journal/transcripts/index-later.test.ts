import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entrySearch } from '@/db/schema/search';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { searchEntryIds } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startJobFixture } from '@/test/job-fixture';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { indexDeferred } from './learn';
import { restoreRevision, saveTranscription } from './revisions';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

/** More words than are indexed before the answer. */
const LONG = 30_001;
const long = (last: string) =>
  Array.from({ length: LONG }, (_, index) => ({
    word: index === 100 ? last : 'and',
    startTime: 0,
    endTime: 0,
  }));

async function makeTranscribed(text?: string) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { durationMs: null });
  const heard = { language: 'en', estimated: false, engine: null };
  if (text) await publishTranscript({ userId, entryId }, { words: storedWords(text), ...heard });
  return { userId, entryId };
}

/** Waits for the job that a correction has started. */
async function runJob() {
  await deliverOutbox();
  await jobs.endOf('learn-words');
}

/** Returns what's indexed of an entry. */
async function indexOf(entryId: string) {
  const [stored] = await db().select().from(entrySearch).where(eq(entrySearch.entryId, entryId));
  return stored;
}

it('indexes a very long correction in a job, and what follows it at once', async () => {
  const { userId, entryId } = await makeTranscribed('we saw a heron');
  const saved = await saveTranscription(userId, entryId, long('kingfisher'));
  expect(saved.words).toHaveLength(LONG);
  expect(await searchEntryIds(userId, 'heron')).toEqual([entryId]);
  await runJob();
  expect(await searchEntryIds(userId, 'kingfisher')).toEqual([entryId]);
  expect(await searchEntryIds(userId, 'heron')).toEqual([]);

  await restoreRevision(userId, entryId, 0);
  expect(await searchEntryIds(userId, 'heron')).toEqual([entryId]);
  await restoreRevision(userId, entryId, 1);
  await indexDeferred({ userId, entryId });
  expect(await searchEntryIds(userId, 'kingfisher')).toEqual([entryId]);
  const before = await indexOf(entryId);
  await indexDeferred({ userId, entryId });
  expect(await indexOf(entryId), 'the same when it’s repeated').toEqual(before);
  expect(before?.words).toBe(LONG);
});

it('indexes very long first words in a job, too', async () => {
  const { userId, entryId } = await makeTranscribed();
  await saveTranscription(userId, entryId, long('kingfisher'));
  await runJob();
  expect(await searchEntryIds(userId, 'kingfisher')).toEqual([entryId]);
});

it('indexes nobody else’s entry, and none that was deleted', async () => {
  const { userId, entryId } = await makeTranscribed('we saw a heron');
  await saveTranscription(userId, entryId, long('kingfisher'));
  await indexDeferred({ userId: (await makeUser()).id, entryId });
  expect(await searchEntryIds(userId, 'kingfisher')).toEqual([]);
  await db().execute(sql`delete from entries where id = ${entryId}`);
  await indexDeferred({ userId, entryId });
  expect(await indexOf(entryId)).toBeUndefined();
});

it('indexes shorter corrections before the answer', async () => {
  const { userId, entryId } = await makeTranscribed('we saw a heron');
  await saveTranscription(userId, entryId, said('we saw a kingfisher'));
  expect(await searchEntryIds(userId, 'kingfisher')).toEqual([entryId]);
});
