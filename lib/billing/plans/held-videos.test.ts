import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { getEntry } from '@/lib/journal/entries/service';
import { removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { retryTranscription } from '@/lib/journal/transcripts/service';
import { failVideo } from '@/lib/video/processing/video';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import {
  admitProbedVideo,
  getEntryRow,
  getHeldByPlan,
  makeProbedEntries,
  makeUploadedEntry,
} from '@/test/video-fixtures';
import { heldVideoOptions, releaseFittingVideos } from './held-videos';
import { canUpload, listPlans, lockPlan, planDetails } from './service';
import { PLAN_LIMITS } from './shared/limits';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

const QUOTA = "You have reached your plan's quota.";

/** Seconds of videos that were admitted. */
async function admittedSeconds(userId: string): Promise<number> {
  const rows = await db()
    .select({ ms: entries.durationMs })
    .from(entries)
    .where(and(eq(entries.userId, userId), eq(entries.heldByPlan, false)));
  return rows.reduce((sum, { ms }) => sum + (ms ?? 0), 0) / 1000;
}

describe('a video that is too long for the plan', () => {
  it('is held with the quota sentence, and asks for no transcript', async () => {
    const user = await makeUser();
    const [fits, held] = (await makeProbedEntries(user.id, 8400, 8400)) as [string, string];
    expect(await getEntry(user.id, fits)).toMatchObject({ status: 'processing', heldByPlan: false });
    expect(await getEntry(user.id, held)).toMatchObject({
      status: 'failed',
      videoStatus: 'failed',
      videoError: QUOTA,
      heldByPlan: true,
      duration: 8400,
      transcription: { status: 'failed', error: QUOTA },
    });
    await expect(retryTranscription(user.id, held)).rejects.toMatchObject({ code: 'conflict' });
    await failVideo({ userId: user.id, entryId: held }, 'The job gave up.');
    expect((await getEntryRow(held)).videoError).toBe(QUOTA);
  });

  it('counts in the use, and stops new uploads and a downgrade', async () => {
    const user = await makeUser();
    const [held] = (await makeProbedEntries(user.id, 12_000)) as [string];
    expect(await getHeldByPlan([held])).toEqual([true]);
    expect(await planDetails(user.id)).toMatchObject({ timeUse: 12_000, videoCount: 1 });
    expect(await canUpload(user.id)).toBe(false);
    await db().update(users).set({ plan: 'Basic' }).where(eq(users.id, user.id));
    const [free] = (await listPlans(user.id)).plans;
    expect(free?.cantDowngradeReason).toMatch(/^Your videos last 3\.33 hours; Free holds 3 hours\./);
  });

  it('holds back no video that fits without it', async () => {
    const user = await makeUser();
    const ids = await makeProbedEntries(user.id, 12_000, 6000, 6000, 4800);
    expect(await getHeldByPlan(ids)).toEqual([true, false, true, false]);
  });

  it('takes the last second of the plan, and not one millisecond more', async () => {
    const user = await makeUser();
    expect(await getHeldByPlan(await makeProbedEntries(user.id, 10_799.999, 0.002, 0.001))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('videos probed in parallel', () => {
  it('never get more than the plan has: one of four of 8,400 s', async () => {
    const user = await makeUser();
    const ids = await Promise.all([1, 2, 3, 4].map(() => makeUploadedEntry(user.id)));
    const results = await Promise.all(ids.map((id) => admitProbedVideo(user.id, id, 8400)));
    expect(results.toSorted()).toEqual(['admitted', 'held', 'held', 'held']);
    expect(await admittedSeconds(user.id)).toBe(8400);
  });

  it('wait for one that’s being admitted, and count it', async () => {
    const user = await makeUser();
    const [first, second] = [await makeUploadedEntry(user.id), await makeUploadedEntry(user.id)];
    const admission = await duringTransaction(
      async (tx) => {
        await lockPlan(tx, user.id);
        await tx.update(entries).set({ durationMs: 8_400_000 }).where(eq(entries.id, first));
      },
      () => admitProbedVideo(user.id, second, 8400),
    );
    expect(admission).toEqual({ waited: true, outcome: { status: 'fulfilled', value: 'held' } });
  });

  it('are held only if they do not fit, whatever their lengths', async () => {
    const limit = PLAN_LIMITS.Free.seconds;
    const run = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 8 }),
      async (lengths) => {
        const user = await makeUser();
        const videos = await Promise.all(
          lengths.map(async (seconds) => ({ seconds, id: await makeUploadedEntry(user.id) })),
        );
        await Promise.all(videos.map(({ id, seconds }) => admitProbedVideo(user.id, id, seconds)));
        const used = await admittedSeconds(user.id);
        expect(used).toBeLessThanOrEqual(limit);
        for (const { id, seconds } of videos) {
          if ((await getEntryRow(id)).heldByPlan) expect(used + seconds).toBeGreaterThan(limit);
        }
      },
    );
    await fc.assert(run, { numRuns: 25, endOnFailure: true });
  });

  it('stay within the plan among removals, restores and upgrades, without a deadlock', async () => {
    const step = fc.record({
      kind: fc.constantFrom('probe', 'remove', 'restore', 'release'),
      which: fc.nat(5),
      seconds: fc.integer({ min: 1, max: 9000 }),
    });
    const run = fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 6, maxLength: 6 }), { minLength: 4, maxLength: 4 }),
      async (rounds) => {
        const user = await makeUser();
        const ids = await Promise.all(Array.from({ length: 6 }, () => makeUploadedEntry(user.id)));
        for (const round of rounds) {
          const results = await Promise.allSettled(
            round.map(async ({ kind, which, seconds }) => {
              const id = ids[which] ?? '';
              if (kind === 'probe') await admitProbedVideo(user.id, id, seconds);
              else if (kind === 'remove') await removeEntry(user.id, id);
              else if (kind === 'restore') await restoreEntry(user.id, id);
              else await releaseFittingVideos();
            }),
          );
          for (const result of results) {
            if (result.status === 'rejected') {
              expect(['not_found', 'quota_reached']).toContain(result.reason.code);
            }
          }
        }
        const rows = await db().select().from(entries).where(eq(entries.userId, user.id));
        const living = rows.filter((row) => row.trashedAt === null && !row.heldByPlan);
        const used = living.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
        expect(used).toBeLessThanOrEqual(PLAN_LIMITS.Free.seconds * 1000);
      },
    );
    await fc.assert(run, { numRuns: 10, endOnFailure: true });
  });
});

describe('a video that was admitted', () => {
  it('stays so when its job runs again on a smaller plan', async () => {
    const user = await makeUser({ plan: 'Basic' });
    const [id] = (await makeProbedEntries(user.id, 12_000)) as [string];
    await db().update(users).set({ plan: 'Free' }).where(eq(users.id, user.id));
    expect(await admitProbedVideo(user.id, id, 12_000)).toBe('admitted');
    expect(await getEntryRow(id)).toMatchObject({ heldByPlan: false, videoStatus: 'processing' });
  });

  it('is left alone once it can be watched', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id, { durationMs: 20_000_000 });
    const before = await getEntryRow(id);
    expect(await admitProbedVideo(user.id, id, 20_000)).toBe('admitted');
    expect(await getEntryRow(id)).toEqual(before);
  });

  it('is left alone by a late probe while another run finishes it', async () => {
    const user = await makeUser();
    const id = await makeUploadedEntry(user.id);
    const finished = { videoStatus: 'ready', durationMs: 59_000 } as const;
    const before = await getEntryRow(id);
    const admission = await duringTransaction(
      (tx) => tx.update(entries).set(finished).where(eq(entries.id, id)),
      () => admitProbedVideo(user.id, id, 60),
    );
    expect(admission).toEqual({ waited: true, outcome: { status: 'fulfilled', value: 'admitted' } });
    expect(await getEntryRow(id)).toEqual({ ...before, ...finished });
  });

  it('is not brought back once it is deleted', async () => {
    const user = await makeUser();
    const id = await makeUploadedEntry(user.id);
    await removeEntry(user.id, id);
    expect(await admitProbedVideo(user.id, id, 60)).toBe('gone');
    expect((await getEntryRow(id)).durationMs).toBeNull();
  });
});

describe('what would help', () => {
  it.each([
    [12_000, { plan: 'Free', upgrade: 'Basic', deleting: false, secondsLeft: 6800, secondsOver: 5200 }],
    [9000, { plan: 'Free', upgrade: 'Basic', deleting: true, secondsLeft: 6800, secondsOver: 2200 }],
    [
      130_000,
      { plan: 'Free', upgrade: 'Standard', deleting: false, secondsLeft: 6800, secondsOver: 123_200 },
    ],
  ])('is an upgrade that has time for %d s, and deleting where that is enough', async (seconds, expected) => {
    const user = await makeUser();
    await makeProbedEntries(user.id, 4000, seconds);
    expect(await heldVideoOptions(user.id, seconds)).toEqual({ canChangePlan: true, ...expected });
  });
});
