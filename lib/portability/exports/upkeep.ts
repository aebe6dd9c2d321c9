import { and, eq, lt, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { log } from '@/lib/foundation/log';
import { deleteExports, startExports } from '@/lib/messaging/outbox/export-jobs';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { exportFailedMail, mailOwner } from './mails';
import { type ExportRun, isMadeBy, PARALLEL_EXPORTS } from './run';

const FAILED =
  'Something went wrong on our end. Your journal is safe. Try again, or contact us if it happens again.';

/**
 * Marks an archive as failed and has its objects deleted, unless a later run makes it. Whoever wanted an email when it's
 * ready gets one now.
 */
export async function failExport(run: ExportRun): Promise<void> {
  const { exportId, userId } = run;
  await db().transaction(async (tx) => {
    const [failed] = await tx
      .update(exports)
      .set({ status: 'failed', error: FAILED, expiresAt: sql`now() + interval '7 days'` })
      .where(isMadeBy(run))
      .returning({ layoutId: exports.layoutId, notify: exports.notify });
    if (!failed) return;
    if (failed.notify) await mailOwner(tx, userId, exportFailedMail);
    const data = { exportId, userId, layoutId: failed.layoutId };
    await enqueueEvent(tx, `export-failed-${exportId}`, { name: 'export/failed', data });
  });
}

/** Longer than a step may take without being heard from, and any wait between attempts. */
const SILENT = '15 minutes';
/** Longer than a run usually waits until others are done. */
const LONG_SILENT = '6 hours';

const isSilentFor = (interval: string) => sql`${exports.beatAt} < now() - ${interval}::interval`;

/** Whether the run would have its turn by now: runs of an account, and more than a few in all, wait for each other. */
const hasTurn = sql`(
  select count(*) < ${PARALLEL_EXPORTS} and not coalesce(bool_or(busy.user_id = ${exports.userId}), false)
  from ${exports} busy
  where busy.status = 'preparing' and busy.beat_at >= now() - ${SILENT}::interval)`;

/** Starts runs again that are gone, because the app or a service was away for longer than the retries. */
async function resumeGone(): Promise<void> {
  await db().transaction(async (tx) => {
    const gone = await tx
      .update(exports)
      .set({ generation: sql`${exports.generation} + 1`, beatAt: sql`now()` })
      .where(
        and(
          eq(exports.status, 'preparing'),
          isSilentFor(SILENT),
          or(hasTurn, isSilentFor(LONG_SILENT)),
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
