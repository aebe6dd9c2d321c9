import type { Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { enqueueEvents } from '@/lib/outbox/service';

/** What {@link enqueuePurge} needs to know about a deleted row. */
export const purgedColumns = {
  entryId: entries.id,
  userId: entries.userId,
  uploadExpiresAt: entries.uploadExpiresAt,
};

const MINUTE_MS = 60_000;
/** Lets requests that began just before an address expired finish. */
const EXPIRY_GRACE_MS = 5 * MINUTE_MS;
/** By then no request and no job can still be writing. */
const FINAL_PURGE_DELAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Has everything deleted that purged entries have in storage: now, again once their upload addresses have expired,
 * and for the last time a day later. Until then something may still arrive: an upload to a presigned address, or what
 * a job was uploading when its process was killed.
 */
export async function enqueuePurge(
  tx: Transaction,
  purged: { entryId: string; userId: string; uploadExpiresAt: Date | null }[],
): Promise<void> {
  const now = Date.now();
  await enqueueEvents(
    tx,
    purged.flatMap(({ uploadExpiresAt, ...data }) => {
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
