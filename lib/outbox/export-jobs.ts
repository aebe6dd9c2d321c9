import type { SQL } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { enqueueEvents } from './service';

/** Adds the events that start runs of archives' jobs to the outbox. */
export async function startExports(
  tx: Transaction,
  rows: Pick<typeof exports.$inferSelect, 'id' | 'userId' | 'generation'>[],
): Promise<void> {
  await enqueueEvents(
    tx,
    rows.map(({ id, userId, generation }) => ({
      id: `export-${id}-${generation}`,
      event: { name: 'export/requested', data: { exportId: id, userId, generation } },
    })),
  );
}

/** By then no run can still be writing, in milliseconds. */
const FINAL_DELETION_DELAY_MS = 24 * 3_600_000;

/** Deletes archives: their rows now, their objects in a job, and once more a day later. @returns how many */
export async function deleteExports(tx: Transaction, which: SQL | undefined): Promise<number> {
  const gone = await tx
    .delete(exports)
    .where(which)
    .returning({ exportId: exports.id, userId: exports.userId, layoutId: exports.layoutId });
  const finalAt = new Date(Date.now() + FINAL_DELETION_DELAY_MS);
  await enqueueEvents(
    tx,
    gone.flatMap((data) => {
      const event = { name: 'export/deleted', data } as const;
      return [
        { id: `export-deleted-${data.exportId}`, event },
        { id: `export-deleted-at-last-${data.exportId}`, event, dueAt: finalAt },
      ];
    }),
  );
  return gone.length;
}
