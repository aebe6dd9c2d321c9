import type { SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { enqueueEvents } from './service';

type Row = typeof exports.$inferSelect;

/** Adds the events that start runs of archives' jobs to the outbox. */
export async function startExports(
  tx: Transaction,
  rows: Pick<Row, 'id' | 'userId' | 'generation'>[],
): Promise<void> {
  await enqueueEvents(
    tx,
    rows.map(({ id, userId, generation }) => ({
      id: `export-${id}-${generation}`,
      event: { name: 'export/requested', data: { exportId: id, userId, generation } },
    })),
  );
}

/** Adds archives and starts the jobs that prepare them. @returns their rows */
export async function requestExports(
  tx: Transaction,
  wanted: Pick<Row, 'userId' | 'entryIds' | 'fromYear' | 'toYear' | 'fileName' | 'notify'>[],
): Promise<Row[]> {
  if (wanted.length === 0) return [];
  const rows = await tx
    .insert(exports)
    // A retry gives the whole row of the archive that failed.
    .values(
      wanted.map(({ userId, entryIds, fromYear, toYear, fileName, notify }) => ({
        id: uuidv7(),
        userId,
        entryIds,
        fromYear,
        toYear,
        fileName,
        notify,
      })),
    )
    .returning();
  await startExports(tx, rows);
  return rows;
}

/** By then no run can still be writing, in milliseconds. */
const FINAL_DELETION_DELAY_MS = 24 * 3_600_000;

/** Deletes archives: their rows now, their objects in a job, and once more a day later. @returns the rows */
export async function deleteExports(tx: Transaction, which: SQL | undefined): Promise<Row[]> {
  const gone = await tx.delete(exports).where(which).returning();
  const finalAt = new Date(Date.now() + FINAL_DELETION_DELAY_MS);
  await enqueueEvents(
    tx,
    gone.flatMap(({ id, userId, layoutId }) => {
      const event = { name: 'export/deleted', data: { exportId: id, userId, layoutId } } as const;
      return [
        { id: `export-deleted-${id}`, event },
        { id: `export-deleted-at-last-${id}`, event, dueAt: finalAt },
      ];
    }),
  );
  return gone;
}
