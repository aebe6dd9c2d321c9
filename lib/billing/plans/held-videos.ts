import { and, asc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { attemptAll } from '@/lib/foundation/attempt-all';
import { AppError, ERRORS } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { effectivePlan, lockPlan, planSource } from './service';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from './shared/limits';

const [, QUOTA_REACHED] = ERRORS.quota_reached;

/** What probing finds out about an uploaded file, in milliseconds, bytes, and pixels. */
export interface ProbedVideo {
  durationMs: number;
  bytes: number;
  width: number;
  height: number;
}

const planMs = (plan: PlanType) => PLAN_LIMITS[plan].seconds * 1000;

const heldOf = (userId: string) =>
  and(eq(entries.userId, userId), isNull(entries.trashedAt), sql`${entries.heldByPlan}`);

/** Sums up the admitted videos. Held ones don't count, so that they don't block videos that fit without them. */
async function admittedMs(tx: Database | Transaction, userId: string, except?: SQL): Promise<number> {
  const [sum] = await tx
    .select({ ms: sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8` })
    .from(entries)
    .where(
      and(eq(entries.userId, userId), isNull(entries.trashedAt), sql`not ${entries.heldByPlan}`, except),
    );
  return sum?.ms ?? 0;
}

/** Only a transcript that failed with its video is retried: one that a person wrote meanwhile stays. */
const RELEASED_COLUMNS = {
  heldByPlan: false,
  videoStatus: 'processing' as const,
  videoError: null,
  transcriptStatus: sql`case when ${entries.transcriptStatus} = 'failed' then 'processing' else ${entries.transcriptStatus} end`,
  transcriptError: null,
};

const HELD_COLUMNS = {
  heldByPlan: true,
  // It may have played before it was probed.
  videoKey: null,
  videoStatus: 'failed' as const,
  videoError: QUOTA_REACHED,
  transcriptStatus: sql`case when ${entries.transcriptStatus} = 'processing' then 'failed' else ${entries.transcriptStatus} end`,
  transcriptError: sql`case when ${entries.transcriptStatus} = 'processing' then ${QUOTA_REACHED} else ${entries.transcriptError} end`,
};

/** Returns whether the plan has enough time for a video, by what its index says, until it's probed. Locks the account. */
export async function hasTimeFor(
  tx: Transaction,
  { userId, entryId }: { userId: string; entryId: string },
  durationMs: number,
): Promise<boolean> {
  const plan = await lockPlan(tx, userId);
  return (await admittedMs(tx, userId, ne(entries.id, entryId))) + durationMs <= planMs(plan);
}

/** How much longer than its index says a video may be to stay admitted, in milliseconds: tracks end at different times. */
const INDEX_TOLERANCE_MS = 1000;

/**
 * Stores what probing found, and admits the video if the plan has enough time for it; otherwise holds it until
 * {@link releaseHeld}. An admitted video stays admitted, even if the plan is smaller when its job runs again. One that was
 * admitted by its index only stays so if that's right.
 */
export async function admitVideo(
  { userId, entryId }: { userId: string; entryId: string },
  probed: ProbedVideo,
): Promise<'admitted' | 'held' | 'gone'> {
  return db().transaction(async (tx) => {
    const plan = await lockPlan(tx, userId);
    const [entry] = await tx
      .select({
        videoStatus: entries.videoStatus,
        durationMs: entries.durationMs,
        heldByPlan: entries.heldByPlan,
      })
      .from(entries)
      .where(ownedEntry(userId, entryId))
      // A late attempt must not take back what another run is finishing.
      .for('no key update');
    if (!entry) return 'gone';
    if (entry.videoStatus === 'ready') return 'admitted';
    const { durationMs, videoStatus } = entry;
    const isProbed =
      videoStatus !== 'uploaded' || probed.durationMs <= (durationMs ?? 0) + INDEX_TOLERANCE_MS;
    const admitted = durationMs !== null && isProbed && !entry.heldByPlan;
    const others = admitted ? 0 : await admittedMs(tx, userId, ne(entries.id, entryId));
    const fits = admitted || others + probed.durationMs <= planMs(plan);
    const state = entry.heldByPlan
      ? RELEASED_COLUMNS
      : { videoStatus: 'processing' as const, videoError: null };
    await tx
      .update(entries)
      .set({ ...probed, ...(fits ? state : HELD_COLUMNS) })
      .where(ownedEntry(userId, entryId));
    if (fits) return 'admitted';
    log.info({ event: 'quota.held', userId, entryId }, 'a video is too long for the plan');
    return 'held';
  });
}

/**
 * Checks, under {@link lockPlan}, that the plan has enough time for a video that was admitted before.
 * @throws AppError `quota_reached`
 */
export async function assertTimeAvailable(
  tx: Transaction,
  userId: string,
  durationMs: number,
): Promise<void> {
  const plan = await lockPlan(tx, userId);
  if ((await admittedMs(tx, userId)) + durationMs > planMs(plan)) throw new AppError('quota_reached');
}

/**
 * Starts processing the held videos that fit the plan now, oldest first, in the transaction that made them fit. One
 * that's still too long doesn't block shorter ones after it. Locks the account before its entries, so a caller that
 * changes entries must take {@link lockPlan} first.
 */
export async function releaseHeld(tx: Transaction, userId: string): Promise<void> {
  const plan = await lockPlan(tx, userId);
  const held = await tx
    .select({ id: entries.id, durationMs: entries.durationMs })
    .from(entries)
    .where(heldOf(userId))
    .orderBy(asc(entries.id));
  if (held.length === 0) return;
  let left = planMs(plan) - (await admittedMs(tx, userId));
  const fitting = held.filter(({ durationMs }) => {
    const fits = (durationMs ?? 0) <= left;
    if (fits) left -= durationMs ?? 0;
    return fits;
  });
  if (fitting.length === 0) return;
  const ids = fitting.map(({ id }) => id);
  const released = await tx
    .update(entries)
    .set(RELEASED_COLUMNS)
    .where(and(heldOf(userId), anyOf(entries.id, ids)))
    .returning({ entryId: entries.id, userId: entries.userId });
  await startJobs(tx, 'video', released);
  log.info({ event: 'quota.released', userId, entries: ids }, 'released held videos that now fit the plan');
}

/** What a person can do to have a held video processed. */
export interface HeldVideoOptions {
  plan: PlanType;
  /** Whether its owner can buy another one. */
  canChangePlan: boolean;
  /** The seconds left on the plan, and how many more the video needs. */
  secondsLeft: number;
  secondsOver: number;
  /** The smallest plan to buy that fits it along with the current videos; null without any. */
  upgrade: PlanType | null;
  /** Whether deleting other entries could be enough. */
  deleting: boolean;
}

/** Returns what a person can do to have a held video processed, by its length in seconds. */
export async function heldVideoOptions(userId: string, seconds: number): Promise<HeldVideoOptions> {
  const [[user], source, used] = await Promise.all([
    db().select({ plan: effectivePlan() }).from(users).where(eq(users.id, userId)),
    planSource(userId),
    admittedMs(db(), userId),
  ]);
  const plan = user?.plan ?? 'Free';
  const needed = used / 1000 + seconds;
  const larger = source === 'subscription' ? PLAN_TYPES.slice(PLAN_TYPES.indexOf(plan) + 1) : [];
  return {
    plan,
    canChangePlan: source === 'subscription',
    secondsLeft: Math.max(0, PLAN_LIMITS[plan].seconds - used / 1000),
    secondsOver: Math.max(0, needed - PLAN_LIMITS[plan].seconds),
    upgrade: larger.find((one) => needed <= PLAN_LIMITS[one].seconds) ?? null,
    deleting: seconds <= PLAN_LIMITS[plan].seconds,
  };
}

/** How many accounts {@link releaseFittingVideos} handles in one run. */
const BATCH = 200;

/**
 * Releases held videos that fit but weren't released when they started to.
 * @throws Error after trying all accounts, if any failed
 */
export async function releaseFittingVideos(): Promise<void> {
  const limits = PLAN_TYPES.map((plan) => sql`when ${plan} then ${planMs(plan)}::float8`);
  const admitted = sql`(select coalesce(sum(other.duration_ms), 0) from entries other
    where other.user_id = ${entries.userId} and other.trashed_at is null and not other.held_by_plan)`;
  const accounts = await db()
    .select({ userId: entries.userId })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .where(sql`${entries.heldByPlan} and ${entries.trashedAt} is null`)
    .groupBy(entries.userId, users.id)
    .having(
      sql`min(${entries.durationMs}) + ${admitted} <= case ${effectivePlan()} ${sql.join(limits, sql` `)} end`,
    )
    .limit(BATCH);
  await attemptAll(
    'quota: release',
    accounts,
    ({ userId }) => db().transaction((tx) => releaseHeld(tx, userId)),
    { name: ({ userId }) => userId },
  );
}
