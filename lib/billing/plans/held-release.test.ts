import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { startCheckout } from '@/lib/billing/subscriptions/service';
import { getEntry } from '@/lib/journal/entries/service';
import { purgeEntry, removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { makeUser } from '@/test/factories';
import { admitProbedVideo, getEntryRow, getHeldByPlan, makeProbedEntries } from '@/test/video-fixtures';
import { releaseFittingVideos } from './held-videos';
import { canUpload } from './service';
import type { PlanType } from './shared/limits';

let shop: BillingFixture;

beforeAll(async () => {
  shop = await startBillingFixture();
});
afterAll(() => shop.end());

const QUOTA = "You have reached your plan's quota.";

/** How often an entry was released, by the events in the outbox. */
const releasesOf = async (id: string) =>
  (
    await db()
      .select()
      .from(outbox)
      .where(like(outbox.id, `video-${id}-%`))
  ).length;

const upgrade = async (user: { id: string; email: string }, plan: PlanType) =>
  shop.pay(await startCheckout(user, plan));

describe('a held video is processed', () => {
  it('after an upgrade, once, with its transcript', async () => {
    const user = await makeUser();
    const [, held] = (await makeProbedEntries(user.id, 8400, 8400)) as [string, string];
    await upgrade(user, 'Basic');
    expect(await getEntry(user.id, held)).toMatchObject({
      status: 'processing',
      videoStatus: 'processing',
      videoError: null,
      heldByPlan: false,
      transcription: { status: 'processing', error: null },
    });
    expect(await releasesOf(held)).toBe(1);
    expect(await admitProbedVideo(user.id, held, 8400), 'its job').toBe('admitted');
  });

  it('oldest first, as far as the larger plan goes', async () => {
    const user = await makeUser();
    const ids = await makeProbedEntries(user.id, 60_000, 50_000, 40_000, 20_000);
    expect(await getHeldByPlan(ids)).toEqual([true, true, true, true]);
    await upgrade(user, 'Basic');
    expect(await getHeldByPlan(ids)).toEqual([false, false, true, true]);
    await shop.confirm(await startCheckout(user, 'Standard'));
    expect(await getHeldByPlan(ids)).toEqual([false, false, false, false]);
    expect(await Promise.all(ids.map(releasesOf))).toEqual([1, 1, 1, 1]);
  });

  it('when deleting others makes enough time, past one that is still too long', async () => {
    const user = await makeUser();
    const [long, first, second] = (await makeProbedEntries(user.id, 12_000, 8400, 8400)) as [
      string,
      string,
      string,
    ];
    await removeEntry(user.id, first);
    expect(await getHeldByPlan([long, second])).toEqual([true, false]);
    expect(await releasesOf(second)).toBe(1);
  });

  it('by the sweep where nothing else has, and once under parallel runs', async () => {
    const user = await makeUser();
    const [small, large] = (await makeProbedEntries(user.id, 12_000, 130_000)) as [string, string];
    await releaseFittingVideos();
    expect(await getHeldByPlan([small, large])).toEqual([true, true]);
    await db().update(users).set({ plan: 'Basic' }).where(eq(users.id, user.id));
    await Promise.all(Array.from({ length: 5 }, () => releaseFittingVideos()));
    expect(await getHeldByPlan([small, large])).toEqual([false, true]);
    expect(await releasesOf(small)).toBe(1);
  });

  it.each([
    ['to the second', 10_800, false],
    ['but for a bit', 10_800.1, true],
  ])('by the sweep if it fits %s', async (_, seconds, isHeld) => {
    const user = await makeUser();
    const [first = '', held = ''] = await makeProbedEntries(user.id, 10, seconds);
    await db().delete(entries).where(eq(entries.id, first));
    expect(await getHeldByPlan([held])).toEqual([true]);
    await releaseFittingVideos();
    expect(await getHeldByPlan([held])).toEqual([isHeld]);
  });

  it('keeps a transcript that a person wrote meanwhile', async () => {
    const user = await makeUser();
    const [held] = (await makeProbedEntries(user.id, 12_000)) as [string];
    await db().update(entries).set({ transcriptStatus: 'completed' }).where(eq(entries.id, held));
    await upgrade(user, 'Basic');
    expect(await getEntryRow(held)).toMatchObject({ heldByPlan: false, transcriptStatus: 'completed' });
  });
});

describe('the trash', () => {
  it('gives a held video back held, or processed if it fits by then', async () => {
    const user = await makeUser();
    const [held] = (await makeProbedEntries(user.id, 12_000)) as [string];
    await removeEntry(user.id, held);
    expect(await canUpload(user.id)).toBe(true);
    expect(await restoreEntry(user.id, held)).toMatchObject({ heldByPlan: true, videoError: QUOTA });
    await removeEntry(user.id, held);
    await upgrade(user, 'Basic');
    expect(await releasesOf(held), 'in the trash').toBe(0);
    expect(await restoreEntry(user.id, held)).toMatchObject({ heldByPlan: false, status: 'processing' });
    expect(await releasesOf(held)).toBe(1);
  });

  it('gives no video back that the plan has no time for', async () => {
    const user = await makeUser();
    const [first] = (await makeProbedEntries(user.id, 8400)) as [string];
    await removeEntry(user.id, first);
    const [second] = (await makeProbedEntries(user.id, 8400)) as [string];
    await expect(restoreEntry(user.id, first)).rejects.toMatchObject({ code: 'quota_reached' });
    await removeEntry(user.id, second);
    expect(await restoreEntry(user.id, first)).toMatchObject({ heldByPlan: false });
  });

  it('deletes a held video forever, with its file', async () => {
    const user = await makeUser();
    const [held] = (await makeProbedEntries(user.id, 12_000)) as [string];
    await removeEntry(user.id, held);
    await purgeEntry(user.id, held);
    const events = await db()
      .select()
      .from(outbox)
      .where(eq(outbox.id, `purged-${held}`));
    expect(events).toHaveLength(1);
  });
});
