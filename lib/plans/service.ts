import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type Database, db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { AppError } from '@/lib/contract/errors';
import type { listPlans as listPlansContract, planDetails as planDetailsContract } from './contract';
import { downgradeBlocker, type Usage } from './downgrade';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from './limits';

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

/** Returns both in one round trip. A prepared statement, since every page that can upload runs it. */
async function planAndUsage(userId: string): Promise<{ plan: PlanType; usage: Usage }> {
  const [found] = await db()
    .select({ plan: users.plan, ...totals })
    .from(users)
    .leftJoin(entries, and(eq(entries.userId, users.id), isNull(entries.trashedAt)))
    .where(eq(users.id, userId))
    .groupBy(users.id)
    .prepare('plan and usage')
    .execute();
  const { plan, ...usage } = found ?? { plan: 'Free', videos: 0, bytes: 0, ms: 0 };
  return { plan, usage };
}

/** Returns whether another upload may start. */
export async function canUpload(userId: string): Promise<boolean> {
  const { plan, usage } = await planAndUsage(userId);
  return hasCapacity(plan, usage);
}

/** Returns how each plan compares to the account's current one, and whether its usage would fit. */
export async function listPlans(userId: string): Promise<z.output<typeof listPlansContract.response>> {
  const { plan: current, usage } = await planAndUsage(userId);
  const tier = PLAN_TYPES.indexOf(current);
  return {
    plans: PLAN_TYPES.map((planType, at) => {
      const isLowerTier = at < tier;
      const cantDowngradeReason = isLowerTier ? downgradeBlocker(planType, usage) : '';
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
export async function planDetails(userId: string): Promise<z.output<typeof planDetailsContract.response>> {
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
 * @throws AppError `not_found`
 */
export async function lockPlan(tx: Transaction, userId: string): Promise<PlanType> {
  const [user] = await tx
    .select({ plan: users.plan })
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
 * Checks, under {@link lockPlan}, that a video that has its slot may grow by so many bytes.
 * @throws AppError `quota_reached`
 */
export async function assertBytesAvailable(tx: Transaction, userId: string, bytes: number): Promise<void> {
  const plan = await lockPlan(tx, userId);
  const usage = await usageOf(tx, userId);
  if (usage.bytes + bytes > PLAN_LIMITS[plan].bytes) throw new AppError('quota_reached');
}
