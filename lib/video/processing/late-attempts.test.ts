import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { previews } from '@/db/schema/previews';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { age, gone, queued, started } from '@/test/gone-jobs';
import { duringTransaction } from '@/test/open-transaction';
import { updateActiveEntry } from './entry-files';
import { endFailedTranscript } from './speech';
import { runEntryStep } from './step';
import { failVideo } from './video';
import { resumeGoneJobs } from './watchdog';

let end: () => Promise<void>;
let userId: string;

beforeAll(async () => {
  // Nothing listens there.
  end = await useFreshDatabase({ settings: { INNGEST_BASE_URL: 'http://127.0.0.1:9' } });
});
beforeEach(async () => {
  // Other tests' jobs count toward the limits.
  await db().delete(entries);
  userId = (await makeUser()).id;
});
afterAll(() => end());

const PROCESSING = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'processing' } as const;
const WORDS = { videoStatus: 'ready', transcriptStatus: 'processing' } as const;

const entryRow = async (id: string) => (await db().select().from(entries).where(eq(entries.id, id)))[0];
const jobRow = async (id: string) =>
  (await db().select().from(entryJobs).where(eq(entryJobs.entryId, id)))[0];
const previewsRow = async (id: string) =>
  (await db().select().from(previews).where(eq(previews.entryId, id)))[0];
const rowsOf = async (id: string) => [await entryRow(id), await jobRow(id), await previewsRow(id)];

/** The first attempt of a job's first run. */
const attempt = (entryId: string) => ({
  ...{ entryId, userId, kind: 'video' as const },
  ...{ generation: 1, runId: 'first', attempt: 0 },
});
const fulfilled = (value?: unknown) => ({
  waited: true,
  outcome: { status: 'fulfilled', ...(value !== undefined && { value }) },
});

describe('an attempt that has lost its lease', () => {
  const takeOver = (id: string) =>
    db().update(entryJobs).set({ holder: 'another' }).where(eq(entryJobs.entryId, id));

  it('records nothing, and leaves the lease to the next one', async () => {
    const id = await started(userId, 'video', PROCESSING);
    let before: unknown;
    const outcome = await runEntryStep(attempt(id), async (step) => {
      await takeOver(id);
      before = await rowsOf(id);
      return updateActiveEntry(step, { thumbnailKey: 'late' });
    });
    expect(outcome).toEqual({ stopped: 'superseded' });
    expect(await rowsOf(id)).toEqual(before);
  });

  it('records nothing either if it works on another entry now', async () => {
    const [id, other] = [
      await started(userId, 'video', PROCESSING),
      await started(userId, 'video', PROCESSING),
    ];
    await runEntryStep(attempt(other), async (step) => {
      expect(await updateActiveEntry({ ...step, entryId: id }, { thumbnailKey: 'late' })).toBe(false);
    });
    expect(await entryRow(id)).toMatchObject({ thumbnailKey: null });
  });

  it('doesn’t count as a failure of the next one', async () => {
    const id = await started(userId, 'video', PROCESSING);
    let before: unknown;
    const outcome = await runEntryStep(attempt(id), async () => {
      await takeOver(id);
      before = await rowsOf(id);
      throw new Error('too late');
    });
    expect(outcome).toEqual({ stopped: 'superseded' });
    expect(await rowsOf(id)).toEqual(before);
  });
});

it('an attempt holds the lease of its own job only', async () => {
  const id = await started(userId, 'video', PROCESSING);
  await startJobs(db(), 'transcript', [{ entryId: id, userId }]);
  const other = () =>
    db()
      .select()
      .from(entryJobs)
      .where(and(eq(entryJobs.entryId, id), eq(entryJobs.kind, 'transcript')));
  const before = await other();
  expect(before).toHaveLength(1);
  let during: unknown;
  await runEntryStep(attempt(id), async () => {
    during = await other();
  });
  expect([during, await other()]).toEqual([before, before]);
});

it('an attempt that waits for the lease gives way to a newer one', async () => {
  const id = await started(userId, 'video', PROCESSING);
  const ofEntry = eq(entryJobs.entryId, id);
  // Of a process on another machine, which may be alive.
  await db().update(entryJobs).set({ holder: '00000000-1-1/first/x' }).where(ofEntry);
  const waiting = runEntryStep(attempt(id), async () => 'worked');
  await expect.poll(async () => (await jobRow(id))?.successor, { timeout: 60_000 }).toContain('/first/');
  await db().update(entryJobs).set({ successor: '00000000-1-1/newer/y' }).where(ofEntry);
  const before = await rowsOf(id);
  expect(await waiting).toEqual({ stopped: 'superseded' });
  expect(await rowsOf(id)).toEqual(before);
});

describe('a run that has been superseded', () => {
  it('fails neither the video nor the transcript', async () => {
    const id = await started(userId, 'video', PROCESSING);
    await startJobs(db(), 'transcript', [{ entryId: id, userId }]);
    for (const kind of ['video', 'transcript'] as const)
      await startJobs(db(), kind, [{ entryId: id, userId }]);
    const before = await rowsOf(id);
    await failVideo({ entryId: id, userId }, 'Too late.', { generation: 1 });
    await endFailedTranscript({ entryId: id, userId }, 'Too late.', 1);
    expect(await rowsOf(id)).toEqual(before);
  });

  it('doesn’t fail a video that another run has just finished', async () => {
    const id = await started(userId, 'video', PROCESSING);
    const failed = await duringTransaction(
      (tx) => tx.update(entries).set({ videoStatus: 'ready' }).where(eq(entries.id, id)),
      () => failVideo({ entryId: id, userId }, 'Too late.'),
    );
    expect(failed).toEqual(fulfilled());
    expect(await entryRow(id)).toMatchObject({ videoStatus: 'ready', videoError: null });
  });
});

describe('the search for runs that are gone', () => {
  const EXHAUSTED = { resends: 3 };

  it('leaves a run alone that is heard from at that moment', async () => {
    const id = await gone(userId, 'video', PROCESSING);
    const before = await jobRow(id);
    const resumed = await duringTransaction(
      (tx) => tx.update(entryJobs).set({ beatAt: sql`now()` }).where(eq(entryJobs.entryId, id)),
      resumeGoneJobs,
    );
    expect(resumed).toEqual(fulfilled());
    expect(await jobRow(id)).toEqual({ ...before, beatAt: expect.any(Date) });
    expect(await queued('video', id)).toEqual([]);
  });

  it('gives no video up that’s being started again, without a deadlock', async () => {
    const id = await gone(userId, 'video', PROCESSING);
    await db().update(entryJobs).set(EXHAUSTED).where(eq(entryJobs.entryId, id));
    const resumed = await duringTransaction(
      (tx) => tx.update(entries).set({ title: 'Restored' }).where(eq(entries.id, id)),
      resumeGoneJobs,
      { finish: (tx) => startJobs(tx, 'video', [{ entryId: id, userId }]) },
    );
    expect(resumed).toEqual(fulfilled());
    expect(await entryRow(id)).toMatchObject({ videoStatus: 'processing' });
    expect(await jobRow(id)).toMatchObject({ generation: 2, resends: 0 });
  });

  it('adds a job’s row once, if two processes find that it’s missing', async () => {
    const { id } = await makeEntry(userId, WORDS);
    const resumed = await duringTransaction(
      (tx) => tx.insert(entryJobs).values({ entryId: id, kind: 'transcript' }),
      resumeGoneJobs,
    );
    expect(resumed).toEqual(fulfilled());
    expect(await db().$count(entryJobs, eq(entryJobs.entryId, id))).toBe(1);
  });

  it('doesn’t wait for another process that postpones a job, and postpones the others', async () => {
    const [held, other] = [
      await started(userId, 'video', PROCESSING),
      await started(userId, 'video', PROCESSING),
    ];
    for (const id of [held, other]) await age(id, 2);
    const before = [await jobRow(held), await jobRow(other)];
    const resumed = await duringTransaction(
      (tx) => tx.select().from(entryJobs).where(eq(entryJobs.entryId, held)).for('update'),
      resumeGoneJobs,
    );
    expect(resumed).toEqual({ waited: false, outcome: { status: 'fulfilled' } });
    expect(await jobRow(held)).toEqual(before[0]);
    expect((await jobRow(other))?.beatAt.getTime()).toBeGreaterThan(before[1]?.beatAt.getTime() ?? 0);
  });
});
