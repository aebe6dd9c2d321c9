import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { deleteExports } from '@/lib/outbox/export-jobs';
import { enqueueEvents } from '@/lib/outbox/service';

/** What {@link enqueuePurge} needs to know about a deleted row. */
export const purgedColumns = {
  entryId: entries.id,
  userId: entries.userId,
  uploadExpiresAt: entries.uploadExpiresAt,
  trashedAt: entries.trashedAt,
};

interface PurgedEntry {
  entryId: string;
  userId: string;
  uploadExpiresAt: Date | null;
  trashedAt: Date | null;
}

const MINUTE_MS = 60_000;
/** Lets requests that began just before an address expired finish. */
const EXPIRY_GRACE_MS = 5 * MINUTE_MS;
/** By then no request and no job can still be writing. */
const FINAL_PURGE_DELAY_MS = 24 * 60 * MINUTE_MS;

/** Deletes the archives that were requested before these entries moved to the trash, and may include them. */
async function deleteArchivesOf(tx: Transaction, purged: readonly PurgedEntry[]): Promise<void> {
  const archives = purged.flatMap(({ entryId, userId, trashedAt }) =>
    trashedAt
      ? [
          and(
            eq(exports.userId, userId),
            lt(exports.createdAt, trashedAt),
            or(isNull(exports.entryIds), sql`${entryId}::uuid = any(${exports.entryIds})`),
          ),
        ]
      : [],
  );
  if (archives.length > 0) await deleteExports(tx, or(...archives));
}

/**
 * Has everything deleted that purged entries have in storage: now, again once their upload addresses have expired,
 * and for the last time a day later. Until then something may still arrive: an upload to a presigned address, or what
 * a job was uploading when its process was killed.
 */
export async function enqueuePurge(tx: Transaction, purged: readonly PurgedEntry[]): Promise<void> {
  await deleteArchivesOf(tx, purged);
  const now = Date.now();
  await enqueueEvents(
    tx,
    purged.flatMap(({ entryId, userId, uploadExpiresAt }) => {
      const data = { entryId, userId };
      const event = { name: 'entry/purged', data } as const;
      const expired = Math.max(now, uploadExpiresAt?.getTime() ?? 0);
      return [
        { id: `purged-${data.entryId}`, event },
        { id: `purged-again-${data.entryId}`, event, dueAt: new Date(expired + EXPIRY_GRACE_MS) },
        { id: `purged-at-last-${data.entryId}`, event, dueAt: new Date(expired + FINAL_PURGE_DELAY_MS) },
      ];
    }),
  );
}
