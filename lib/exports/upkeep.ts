import { and, eq, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { log } from '@/lib/log';
import { deleteExports, startExports } from '@/lib/outbox/export-jobs';
import { type ExportRun, isMadeBy } from './run';

const FAILED =
  'Something went wrong on our end. Your journal is safe. Try again, or contact us if it happens again.';

/** Marks an archive as failed, unless a later run makes it. */
export async function failExport(run: ExportRun): Promise<void> {
  await db()
    .update(exports)
    .set({ status: 'failed', error: FAILED, expiresAt: sql`now() + interval '7 days'` })
    .where(isMadeBy(run));
}

/** Longer than any wait between a run's attempts. */
const SILENT = sql`${exports.beatAt} < now() - interval '4 minutes'`;

/** Starts runs again that are gone, because the app or a service was away for longer than the retries. */
async function resumeGone(): Promise<void> {
  await db().transaction(async (tx) => {
    const gone = await tx
      .update(exports)
      .set({ generation: sql`${exports.generation} + 1`, beatAt: sql`now()` })
      .where(
        and(
          eq(exports.status, 'preparing'),
          SILENT,
          // Not while the event that starts the run is still in the outbox.
          sql`not exists (select from outbox
            where outbox.id = 'export-' || ${exports.id} || '-' || ${exports.generation})`,
        ),
      )
      .returning({ id: exports.id, userId: exports.userId, generation: exports.generation });
    if (gone.length === 0) return;
    log.warn({ event: 'exports.resent', exports: gone.map(({ id }) => id) }, 'exports: runs were gone');
    await startExports(tx, gone);
  });
}

/** Deletes archives that have expired, and starts the runs again that are gone. */
export async function tidyExports(): Promise<void> {
  await db().transaction((tx) => deleteExports(tx, lt(exports.expiresAt, sql`now()`)));
  await resumeGone();
}
