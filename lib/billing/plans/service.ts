import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type Database, db, type Transaction } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import type * as contract from './contract';
import { downgradeBlocker, type Usage } from './downgrade';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from './shared/limits';

/** Returns the plan of every account where the site doesn't charge, or null where it does. */
export function sitePlan(): PlanType | null {
  const { STRIPE_SECRET_KEY, DEFAULT_PLAN } = env();
  return STRIPE_SECRET_KEY === undefined ? DEFAULT_PLAN : null;
}

/**
 * Returns the SQL of an account's plan: what the operator gave it, or else what its subscription pays for, or the site's
 * own plan where nobody pays. Nothing else decides it.
 */
export function effectivePlan(plan: PlanType | null | Placeholder = sitePlan()): SQL<PlanType> {
  return sql`coalesce(${users.grantedPlan}, ${plan}::plan_type, ${users.plan})`;
}

/** Where a plan comes from. Only one from a `subscription` can be bought, changed, and canceled. */
export type PlanSource = 'subscription' | 'operator' | 'site';

/** Why a plan can't be changed by its owner. */
const FIXED_PLAN = {
  operator: 'The site’s administrator gave you your plan.',
  site: 'This site doesn’t charge, so plans can’t be changed.',
};

const isGranted = sql<boolean>`${users.grantedPlan} is not null`;

function sourceOf(granted: boolean): PlanSource {
  if (granted) return 'operator';
  return sitePlan() ? 'site' : 'subscription';
}

/** Returns where an account's plan comes from. */
export async function planSource(userId: string, tx: Database | Transaction = db()): Promise<PlanSource> {
  const [user] = await tx.select({ isGranted }).from(users).where(eq(users.id, userId));
  return sourceOf(user?.isGranted ?? false);
}

const totals = {
  videos: sql<number>`count(${entries.id})::int`,
  bytes: sql<number>`coalesce(sum(${entries.bytes}), 0)::float8`,
  ms: sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8`,
};

/** What an account uses of its plan. */
export async function usageOf(tx: Database | Transaction, userId: string): Promise<Usage> {
  const [usage] = await tx
    .select(totals)
    .from(entries)
    .where(and(eq(entries.userId, userId), isNull(entries.trashedAt)));
  return usage ?? { videos: 0, bytes: 0, ms: 0 };
}

function hasCapacity(plan: PlanType, usage: Usage): boolean {
  const limits = PLAN_LIMITS[plan];
  return usage.videos < limits.videos && usage.bytes < limits.bytes && usage.ms < limits.seconds * 1000;
}

const planAndUsageStatement = preparedStatement((connection) =>
  connection
    .select({ plan: effectivePlan(sql.placeholder('sitePlan')), isGranted, ...totals })
    .from(users)
    .leftJoin(entries, and(eq(entries.userId, users.id), isNull(entries.trashedAt)))
    .where(eq(users.id, sql.placeholder('userId')))
    .groupBy(users.id)
    .prepare('plan and usage'),
);

/** Returns both in one round trip. Every page that can upload runs it. */
async function planAndUsage(userId: string): Promise<{ plan: PlanType; source: PlanSource; usage: Usage }> {
  const [found] = await planAndUsageStatement().execute({ userId, sitePlan: sitePlan() });
  if (!found) throw new AppError('not_found');
  const { plan, isGranted: granted, ...usage } = found;
  return { plan, source: sourceOf(granted), usage };
}

/** Returns whether another upload may start. */
export async function canUpload(userId: string): Promise<boolean> {
  const { plan, usage } = await planAndUsage(userId);
  return hasCapacity(plan, usage);
}

/** Returns how each plan compares to the account's current one, and why it can't be downgraded to. */
export async function listPlans(userId: string): Promise<z.output<typeof contract.listPlans.response>> {
  const { plan: current, source, usage } = await planAndUsage(userId);
  const blocker = (plan: PlanType) =>
    source === 'subscription' ? downgradeBlocker(plan, usage) : FIXED_PLAN[source];
  const tier = PLAN_TYPES.indexOf(current);
  return {
    plans: PLAN_TYPES.map((planType, at) => {
      const isLowerTier = at < tier;
      const cantDowngradeReason = isLowerTier ? blocker(planType) : '';
      return {
        id: planType.toLowerCase() as Lowercase<typeof planType>,
        planType,
        isCurrentPlan: planType === current,
        canDowngrade: isLowerTier && cantDowngradeReason === '',
        isLowerTier,
        cantDowngradeReason,
      };
    }),
  };
}

/** Returns the plan's limits and usage. */
export async function planDetails(userId: string): Promise<z.output<typeof contract.planDetails.response>> {
  const { plan, usage } = await planAndUsage(userId);
  const limits = PLAN_LIMITS[plan];
  return {
    currentPlan: plan,
    storageLimit: limits.bytes,
    videoCountLimit: limits.videos,
    timeLimit: limits.seconds,
    storageUse: usage.bytes,
    timeUse: Math.round(usage.ms / 1000),
    videoCount: usage.videos,
  };
}

/**
 * Locks the account's row until the transaction ends, so that changes to its usage wait for each other.
 * @returns its plan
 * @throws AppError `not_found`
 */
export async function lockPlan(tx: Transaction, userId: string): Promise<PlanType> {
  const [user] = await tx
    .select({ plan: effectivePlan() })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  if (!user) throw new AppError('not_found');
  return user.plan;
}

/**
 * Checks, under {@link lockPlan}, that one more video fits.
 * @param size in bytes; if it's omitted, everything left is reserved, up to `most`
 * @returns the bytes to reserve
 * @throws AppError `quota_reached`
 */
export async function checkUploadQuota(
  tx: Transaction,
  userId: string,
  size: number | undefined,
  most: number,
): Promise<number> {
  const plan = await lockPlan(tx, userId);
  const usage = await usageOf(tx, userId);
  const left = PLAN_LIMITS[plan].bytes - usage.bytes;
  if (!hasCapacity(plan, usage) || (size ?? 1) > left) throw new AppError('quota_reached');
  return size ?? Math.min(left, most);
}

/**
 * Checks, under {@link lockPlan}, that so many more videos of so many bytes in all fit. As for an upload, there has to be
 * time left, but not for all of it.
 * @throws AppError `quota_reached`
 */
export async function assertSpaceAvailable(
  tx: Transaction,
  userId: string,
  videos: number,
  bytes: number,
): Promise<void> {
  const plan = await lockPlan(tx, userId);
  const usage = await usageOf(tx, userId);
  const isFull = !hasCapacity(plan, { ...usage, videos: usage.videos + videos - 1 });
  if (isFull || usage.bytes + bytes > PLAN_LIMITS[plan].bytes) throw new AppError('quota_reached');
}

/** Returns, under {@link lockPlan}, the bytes that are left of the plan; negative if more are used. */
export async function bytesLeft(tx: Transaction, userId: string): Promise<number> {
  const plan = await lockPlan(tx, userId);
  return PLAN_LIMITS[plan].bytes - (await usageOf(tx, userId)).bytes;
}

/**
 * Checks, under {@link lockPlan}, that a video that has its slot may grow by so many bytes.
 * @throws AppError `quota_reached`
 */
export async function assertBytesAvailable(tx: Transaction, userId: string, bytes: number): Promise<void> {
  if (bytes > (await bytesLeft(tx, userId))) throw new AppError('quota_reached');
}
