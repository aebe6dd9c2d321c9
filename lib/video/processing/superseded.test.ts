import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import { firstAttempt, started } from '@/test/gone-jobs';
import { runEntryStep } from './step';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** Makes an entry whose job for its video has begun. */
async function processing() {
  const { id: userId } = await makeUser();
  const values = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'processing' } as const;
  const entryId = await started(userId, 'video', values);
  return {
    attempt: firstAttempt(userId, entryId),
    startAgain: () => startJobs(db(), 'video', [{ entryId, userId }]),
    job: async () => db().select().from(entryJobs).where(eq(entryJobs.entryId, entryId)),
  };
}

describe('a run whose job was started again', () => {
  it('begins no step', async () => {
    const { attempt, startAgain, job } = await processing();
    await startAgain();
    const before = await job();
    let hasBegun = false;
    const outcome = await runEntryStep(attempt, async () => {
      hasBegun = true;
    });
    expect([outcome, hasBegun]).toEqual([{ stopped: 'superseded' }, false]);
    expect(await job()).toEqual(before);
  });

  it('ends the step that it’s at, even if nobody waits for it yet', async () => {
    const { attempt, startAgain } = await processing();
    const outcome = await runEntryStep(attempt, async ({ signal = new AbortController().signal }) => {
      await startAgain();
      await once(signal, 'abort');
      signal.throwIfAborted();
    });
    expect(outcome).toEqual({ stopped: 'superseded' });
  });
});
