import { cron, type Inngest } from 'inngest';
import pLimit from 'p-limit';
import { deleteOldEvents } from '@/lib/audit/service';
import { reconcile } from '@/lib/billing/reconcile';
import { purgeOldTrash } from '@/lib/entries/trash';
import { reportJobRun } from '@/lib/health/process-reports';
import { deleteExpiredLimits } from '@/lib/limits/service';
import { log } from '@/lib/log';
import { deliverOutbox } from '@/lib/outbox/service';
import { releaseFittingVideos } from '@/lib/plans/held-videos';
import { removeStaleFiles } from '@/lib/processing/stale-files';
import { withSafeMessage } from '@/lib/safe-error';
import { deleteOldNotices } from '@/lib/security/notices';
import { deleteOldDevices } from '@/lib/sessions/devices';
import { deleteExpiredSessions } from '@/lib/sessions/service';
import { reconcileAbandonedUploads } from '@/lib/uploads/abandoned';
import { checkExpiredUploadUrls } from '@/lib/uploads/expired-upload-urls';
import { deleteOldChallenges } from '@/lib/webauthn/challenge';

/** What runs every minute. Each task must be safe to run in several processes at once. */
const TASKS: Record<string, () => Promise<unknown>> = {
  // Proves to health checks that jobs run.
  health: reportJobRun,
  outbox: () => deliverOutbox(200),
  uploads: reconcileAbandonedUploads,
  'expired-addresses': checkExpiredUploadUrls,
  'held-videos': releaseFittingVideos,
  trash: purgeOldTrash,
  sessions: deleteExpiredSessions,
  devices: deleteOldDevices,
  notices: deleteOldNotices,
  challenges: deleteOldChallenges,
  activity: deleteOldEvents,
  limits: deleteExpiredLimits,
  files: removeStaleFiles,
};

/**
 * How many tasks this process runs at once. More would fill the connection pool, and postgres.js then sends queries
 * behind one that waits for a lock.
 */
const limit = pLimit(4);
const runningTasks = new Set<string>();

/** Runs a task, unless its last run hasn't ended. @throws what the task throws */
async function runTask(name: string): Promise<void> {
  if (runningTasks.has(name)) return;
  runningTasks.add(name);
  try {
    await TASKS[name]?.();
  } catch (error) {
    log.error({ err: error, part: name }, 'sweep: a task failed');
    throw error;
  } finally {
    runningTasks.delete(name);
  }
}

/**
 * Finishes or cleans up whatever was left behind, once a minute. Tasks run in parallel, so that none waits for a slow
 * one. There's no concurrency limit, which would make the next run wait for this one. A failed task fails the run once
 * all tasks are done; the next run tries again.
 */
export function sweep(client: Inngest) {
  return client.createFunction(
    { id: 'sweep', triggers: [cron('* * * * *')], retries: 0 },
    async ({ step }) => {
      const names = Object.keys(TASKS);
      const ended = await Promise.allSettled(
        names.map((name) => step.run(name, () => limit(() => runTask(name)))),
      );
      const failed = names.filter((_, index) => ended[index]?.status === 'rejected');
      if (failed.length > 0) {
        throw withSafeMessage(new Error(`These parts failed: ${failed.join(', ')}`));
      }
    },
  );
}

/** Compares every plan with Stripe's subscriptions once an hour, to catch up on lost webhooks. */
export function reconcileBilling(client: Inngest) {
  return client.createFunction(
    { id: 'reconcile-billing', triggers: [cron('17 * * * *')], retries: 3, concurrency: [{ limit: 1 }] },
    async ({ step }) => {
      await step.run('reconcile', () => reconcile());
    },
  );
}
