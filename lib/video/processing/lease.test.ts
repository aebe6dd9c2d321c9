import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { removeEntry } from '@/lib/journal/entries/trash';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { findStopReason } from './lease';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

it('tells an attempt whether another one of its run goes on, a later run, or none', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId);
  const run = { entryId, userId, kind: 'video', generation: 1, runId: 'first', attempt: 0 } as const;
  await startJobs(db(), 'video', [run]);
  expect(await findStopReason(run)).toBe('replaced');
  await startJobs(db(), 'video', [run]);
  expect(await findStopReason(run)).toBe('superseded');
  expect(await findStopReason({ ...run, generation: 2 })).toBe('replaced');
  await db()
    .update(entryJobs)
    .set({ holder: 'process/second/attempt' })
    .where(eq(entryJobs.entryId, entryId));
  expect(await findStopReason({ ...run, generation: 2 })).toBe('superseded');
  expect(await findStopReason({ ...run, generation: 2, runId: 'second' })).toBe('replaced');
  await removeEntry(userId, entryId);
  expect(await findStopReason(run)).toBe('removed');
});
