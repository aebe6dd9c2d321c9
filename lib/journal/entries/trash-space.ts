import { and, asc, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { effectivePlan } from '@/lib/billing/plans/service';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { AppError } from '@/lib/foundation/contract/errors';
import type { TrashPreview } from '@/lib/journal/bulk/contract';
import { notFound } from './change-entries';
import { purgedColumns } from './purge';

/** Selects an account's trash. Unfinished uploads can't be restored, so they aren't in it. */
export const inTrash = (userId: string) =>
  and(eq(entries.userId, userId), isNotNull(entries.trashedAt), ne(entries.videoStatus, 'uploading'));

/** How many entries the trash has space for on every plan: as many as the largest plan. */
const MAX_ENTRIES = Math.max(...PLAN_TYPES.map((plan) => PLAN_LIMITS[plan].videos));

interface Space {
  entries: number;
  /** Of the sources, like a plan's storage. */
  bytes: number;
}

const spaceOf = (rows: readonly { bytes: number }[]): Space => ({
  entries: rows.length,
  bytes: rows.reduce((total, { bytes }) => total + bytes, 0),
});

/** Returns what's in the trash, longest there first. */
const readTrash = (tx: Database | Transaction, userId: string) =>
  tx
    .select({ id: entries.id, bytes: entries.bytes, trashedAt: entries.trashedAt })
    .from(entries)
    .where(inTrash(userId))
    .orderBy(asc(entries.trashedAt), asc(entries.id));

type Trashed = Awaited<ReturnType<typeof readTrash>>;

/**
 * Returns which entries have to leave the trash so that others can enter it: those that have been there longest, until the
 * rest fits. A trash that's larger than its plan allows, such as after a subscription ended, loses only as much as is added,
 * so that what was promised for 30 days doesn't go all at once.
 */
function findSurplus(trash: Trashed, added: Space, plan: PlanType): Trashed {
  const used = spaceOf(trash);
  let bytes = used.bytes + added.bytes - Math.max(PLAN_LIMITS[plan].bytes, used.bytes);
  let count = used.entries + added.entries - Math.max(MAX_ENTRIES, used.entries);
  const surplus: Trashed = [];
  for (const one of trash) {
    if (bytes <= 0 && count <= 0) break;
    bytes -= one.bytes;
    count -= 1;
    surplus.push(one);
  }
  return surplus;
}

/** Returns what of some entries will be in the trash once they're removed. */
const enteringTrash = (removed: readonly { bytes: number; videoStatus: string }[]): Space =>
  spaceOf(removed.filter(({ videoStatus }) => videoStatus !== 'uploading'));

/**
 * Locks the entries to purge, under the plan's lock, before others move to the trash. The latter are never among them, so
 * that their removal can be undone.
 * @param removed the entries that will move to the trash
 * @param since when the removal began that these belong to; what has entered the trash since stays
 */
export async function lockSurplus(
  tx: Transaction,
  userId: string,
  plan: PlanType,
  removed: readonly { bytes: number; videoStatus: string }[],
  since?: Date,
) {
  const surplus = findSurplus(await readTrash(tx, userId), enteringTrash(removed), plan);
  const ids = surplus.flatMap(({ id, trashedAt }) => (since && trashedAt && trashedAt >= since ? [] : id));
  if (ids.length === 0) return [];
  return tx
    .select(purgedColumns)
    .from(entries)
    .where(and(anyOf(entries.id, ids), inTrash(userId)))
    .orderBy(asc(entries.id))
    .for('update');
}

/**
 * Returns what moving entries to the trash would delete from it permanently.
 * @throws AppError `not_found` unless all of them are the account's and outside the trash
 */
export async function previewRemoval(userId: string, ids: string[]): Promise<TrashPreview> {
  const [[account], removed, trash] = await Promise.all([
    db().select({ plan: effectivePlan() }).from(users).where(eq(users.id, userId)),
    db()
      .select({ id: entries.id, bytes: entries.bytes, videoStatus: entries.videoStatus })
      .from(entries)
      .where(and(anyOf(entries.id, ids), eq(entries.userId, userId), isNull(entries.trashedAt))),
    readTrash(db(), userId),
  ]);
  if (!account) throw new AppError('not_found');
  if (removed.length < ids.length) throw notFound(ids, removed);
  return {
    limit: PLAN_LIMITS[account.plan].bytes,
    used: spaceOf(trash).bytes,
    purged: findSurplus(trash, enteringTrash(removed), account.plan).length,
  };
}
