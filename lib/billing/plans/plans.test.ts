import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import type { AppError } from '@/lib/foundation/contract/errors';
import { removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { reserveUpload } from '@/lib/video/uploads/service';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { canUpload, listPlans, planDetails } from './service';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from './shared/limits';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const upload = (userId: string, size: number) =>
  reserveUpload(userId, {
    title: 'A day',
    journal_date: { day: 15, month: 1, year: 2026 },
    file_name: 'day.mp4',
    content_type: 'video/mp4',
    size,
  });

const changePlan = (userId: string, plan: PlanType) =>
  db().update(users).set({ plan }).where(eq(users.id, userId));

type Step =
  | { do: 'upload'; size: number; ms: number }
  | { do: 'remove'; which: number }
  | { do: 'change'; plan: PlanType };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('upload' as const),
      size: fc.integer({ min: 1, max: 2e9 }),
      ms: fc.integer({ min: 0, max: 3_600_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(1000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('change' as const), plan: fc.constantFrom(...PLAN_TYPES) }),
  },
);

describe('the use of a plan', () => {
  it('equals the sum over the library after a thousand random uploads, deletes and changes of plan', async () => {
    const run = fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 100 }), async (steps) => {
      const user = await makeUser();
      const library = new Map<string, { size: number; ms: number }>();
      let plan: PlanType = 'Free';
      for (const one of steps) {
        const held = [...library.values()];
        const use = {
          videos: held.length,
          bytes: held.reduce((sum, { size }) => sum + size, 0),
          ms: held.reduce((sum, { ms }) => sum + ms, 0),
        };
        if (one.do === 'change') {
          plan = one.plan;
          await changePlan(user.id, plan);
        } else if (one.do === 'remove') {
          const id = [...library.keys()][one.which % Math.max(1, library.size)];
          if (!id) continue;
          await removeEntry(user.id, id);
          library.delete(id);
        } else {
          const limits = PLAN_LIMITS[plan];
          const fits =
            use.videos < limits.videos &&
            use.bytes + one.size <= limits.bytes &&
            use.ms < limits.seconds * 1000;
          const made = await upload(user.id, one.size).catch((error: unknown) => error);
          if (made instanceof Error) {
            expect(made).toMatchObject({ code: 'quota_reached' } satisfies Partial<AppError>);
            expect(fits).toBe(false);
            continue;
          }
          expect(fits).toBe(true);
          const { entryId } = (made as Awaited<ReturnType<typeof upload>>).metadata;
          // What probing finds out.
          await db().update(entries).set({ durationMs: one.ms }).where(eq(entries.id, entryId));
          library.set(entryId, one);
        }
      }
      const held = [...library.values()];
      expect(await planDetails(user.id)).toMatchObject({
        currentPlan: plan,
        videoCount: held.length,
        storageUse: held.reduce((sum, { size }) => sum + size, 0),
        timeUse: Math.round(held.reduce((sum, { ms }) => sum + ms, 0) / 1000),
      });
    });
    await fc.assert(run, { numRuns: 10, endOnFailure: true });
  });
});

describe('the real figures of a video', () => {
  it('keep an entry that turns out too long, and stop only new uploads', async () => {
    const user = await makeUser();
    const { metadata } = await upload(user.id, 1000);
    const { seconds } = PLAN_LIMITS.Free;
    await db()
      .update(entries)
      .set({ durationMs: seconds * 1000 + 60_000, videoStatus: 'ready' })
      .where(eq(entries.id, metadata.entryId));
    expect(await canUpload(user.id)).toBe(false);
    await expect(upload(user.id, 1)).rejects.toMatchObject({ code: 'quota_reached' });
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 1, timeUse: seconds + 60 });
    await removeEntry(user.id, metadata.entryId);
    expect(await canUpload(user.id)).toBe(true);
  });
});

it('a plan takes back what was removed up to its last byte, video, and millisecond', async () => {
  const restore = async (kept: object, removed: object, others = 0) => {
    const { id: userId } = await makeUser();
    const small = { bytes: 0, durationMs: 0 };
    await makeEntry(userId, { ...small, ...kept });
    for (let n = 0; n < others; n += 1) await makeEntry(userId, small);
    const { id } = await makeEntry(userId, { ...small, ...removed, trashedAt: new Date() });
    return codeOf(restoreEntry(userId, id));
  };
  expect(await restore({ bytes: 4e9 }, { bytes: 1e9 })).toBe('ok');
  expect(await restore({ bytes: 4e9 }, { bytes: 1e9 + 1 })).toBe('quota_reached');
  expect(await restore({ durationMs: 10_000_000 }, { durationMs: 800_000 })).toBe('ok');
  expect(await restore({ durationMs: 10_000_000 }, { durationMs: 800_001 })).toBe('quota_reached');
  expect(await restore({}, {}, 28)).toBe('ok');
  expect(await restore({}, {}, 29)).toBe('quota_reached');
});

describe('the reason against a downgrade', () => {
  it('names each figure that is too large, and says what would do', async () => {
    const user = await makeUser({ plan: 'Standard' });
    await makeEntry(user.id, { bytes: 5_000_000_001, durationMs: 12_600_000 });
    for (let n = 0; n < 34; n += 1) await makeEntry(user.id, { bytes: 0, durationMs: 0 });
    const [free, basic] = (await listPlans(user.id)).plans;
    expect(free).toMatchObject({ isLowerTier: true, canDowngrade: false });
    expect(free?.cantDowngradeReason).toBe(
      'You use 5.00 GB; Free holds 5.00 GB. Delete 1.00 B first. ' +
        'You have 35 videos; Free holds 30. Delete 5 first. ' +
        'Your videos last 3.5 hours; Free holds 3 hours. Delete 30 minutes first.',
    );
    expect(basic).toMatchObject({ isLowerTier: true, canDowngrade: true, cantDowngradeReason: '' });
  });
});
