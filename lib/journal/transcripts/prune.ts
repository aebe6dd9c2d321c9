import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { transcripts } from '@/db/schema/transcripts';
import { lockTextUsage, MAX_TEXT_BYTES, textFull } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';

/** How many of an entry's newest revisions stay, besides the engine's original, whatever has to go. */
const NEWEST = 20;

/** How many revisions an entry has at most. */
const MAX_REVISIONS = 1000;

/** How many bytes above its limit an account may hold once nothing can be pruned, so that a correction is still saved. */
const CORRECTION_BYTES = 50_000_000;

/** Returns how many revisions an entry has too many. */
async function surplusOf(tx: Transaction, entryId: string): Promise<number> {
  const count = await tx.$count(transcripts, eq(transcripts.entryId, entryId));
  return Math.max(0, count - MAX_REVISIONS);
}

/** Checks that an entry may have the revision that was just imported. @throws AppError `quota_reached` */
export async function assertRevisionFits(tx: Transaction, entryId: string): Promise<void> {
  if ((await surplusOf(tx, entryId)) === 0) return;
  const message = 'This transcript has more than 1,000 versions, which is the limit.';
  throw new AppError('quota_reached', { message });
}

/**
 * Deletes an entry's oldest revisions, and then its account's, by `transcripts_prune`.
 * @param surplus how many of the entry's
 * @param excess how many bytes in all
 * @returns the bytes it has freed
 */
async function prune(
  tx: Transaction,
  { userId, entryId }: EntryRef,
  surplus: number,
  excess: number,
): Promise<number> {
  const [pruned] = await tx.execute<{ freed: number }>(sql`
    select transcripts_prune(${userId}, ${entryId}, ${surplus}, ${excess}, ${NEWEST})::float8 as freed`);
  return pruned?.freed ?? 0;
}

/** Prunes what a restored revision, which has no words of its own, makes too many of an entry whose row is locked. */
export async function pruneSurplus(tx: Transaction, entry: EntryRef): Promise<void> {
  const surplus = await surplusOf(tx, entry.entryId);
  if (surplus > 0) await prune(tx, entry, surplus, 0);
}

/**
 * Prunes what a correction makes too much for an account, and too many of an entry whose row is locked. Call it last, as
 * {@link lockTextUsage}.
 * @throws AppError `quota_reached` if the account is far beyond its limit, and nothing can be pruned
 */
export async function pruneForCorrection(tx: Transaction, entry: EntryRef): Promise<void> {
  const { bytes } = await lockTextUsage(tx, entry.userId);
  const excess = Math.max(0, bytes - MAX_TEXT_BYTES);
  const surplus = await surplusOf(tx, entry.entryId);
  if (excess === 0 && surplus === 0) return;
  const freed = await prune(tx, entry, surplus, excess);
  if (excess - freed > CORRECTION_BYTES) throw textFull();
}
