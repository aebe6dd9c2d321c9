import { cron, type Inngest } from 'inngest';
import pLimit from 'p-limit';
import { deleteOldEvents } from '@/lib/account/activity/service';
import { eraseDueAccounts } from '@/lib/account/deletion/erase';
import { deleteExpiredInvitations } from '@/lib/account/invitations/service';
import { deleteOldNotices } from '@/lib/account/security/notices';
import { deleteOldDevices } from '@/lib/account/sessions/devices';
import { deleteExpiredSessions } from '@/lib/account/sessions/service';
import { deleteOldChallenges } from '@/lib/account/webauthn/challenge';
import { releaseFittingVideos } from '@/lib/billing/plans/held-videos';
import { reconcile } from '@/lib/billing/subscriptions/reconcile';
import { log } from '@/lib/foundation/log';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { purgeOldTrash } from '@/lib/journal/entries/trash';
import { reindexOutdated } from '@/lib/journal/search/reindex';
import { forgetDeletedTags } from '@/lib/journal/tags/deletion';
import { deleteExpiredRateLimits } from '@/lib/limits/service';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { healthPinged } from '@/lib/messaging/outbox/events';
import { sendDiskWarning } from '@/lib/operations/health/disk';
import { renewEventProof } from '@/lib/operations/health/jobs';
import { readMediaTool } from '@/lib/operations/health/media';
import { tidyExports } from '@/lib/portability/exports/upkeep';
import { deleteOldImports } from '@/lib/portability/imports/history/service';
import { sendDueLetters, sendDueReminders } from '@/lib/reminders/send';
import { areFunctions } from '@/lib/video/processing/job-limits';
import { reportEventRun, reportJobRun } from '@/lib/video/processing/process-reports';
import { removeStaleFiles } from '@/lib/video/processing/stale-files';
import { shareMediaSpeed } from '@/lib/video/processing/video-time';
import { resumeGoneJobs } from '@/lib/video/processing/watchdog';
import { reconcileAbandonedUploads } from '@/lib/video/uploads/abandoned';
import { checkExpiredUploadUrls } from '@/lib/video/uploads/expired-upload-urls';

/**
 * Proves to health checks that jobs run. That events start them, too, which this run, started by a clock, doesn't prove, is
 * proved by an event now and then.
 */
async function reportSweep(): Promise<void> {
  await reportJobRun((await readMediaTool()).problem);
  await renewEventProof().catch((err: unknown) =>
    log.warn({ err }, 'sweep: the event for health checks was not sent'),
  );
}

/** What runs every two minutes. Each task must be safe to run in several processes at once. */
const TASKS: Record<string, () => Promise<unknown>> = {
  health: reportSweep,
  outbox: () => deliverOutbox(200),
  reminders: sendDueReminders,
  letters: sendDueLetters,
  uploads: reconcileAbandonedUploads,
  'expired-addresses': checkExpiredUploadUrls,
  'held-videos': releaseFittingVideos,
  jobs: resumeGoneJobs,
  trash: purgeOldTrash,
  tags: forgetDeletedTags,
  search: reindexOutdated,
  deletions: eraseDueAccounts,
  exports: tidyExports,
  imports: deleteOldImports,
  sessions: deleteExpiredSessions,
  devices: deleteOldDevices,
  notices: deleteOldNotices,
  challenges: deleteOldChallenges,
  activity: deleteOldEvents,
  invitations: deleteExpiredInvitations,
  limits: deleteExpiredRateLimits,
  files: removeStaleFiles,
  disk: sendDiskWarning,
};

/**
 * How many tasks this process runs at once. More would take the connections that requests need. The outbox isn't
 * counted, because mails and jobs must go out whatever else is slow.
 */
const limit = pLimit(4);
const runningTasks = new Set<string>();

/** How long the sweep waits for a task, in milliseconds: less than the time to the next run, so that runs don't pile up. */
const TASK_DEADLINE_MS = 45_000;

/**
 * Runs a task and waits for it until the deadline. One that takes longer continues, and isn't started again before it
 * has ended. @throws what the task throws
 */
async function runTask(name: string, deadlineMs: number): Promise<unknown> {
  const task = TASKS[name];
  if (!task || runningTasks.has(name)) return;
  runningTasks.add(name);
  const work = Promise.resolve(task())
    .catch((error: unknown) => {
      log.error({ err: error, part: name }, 'sweep: a task failed');
      throw error;
    })
    .finally(() => runningTasks.delete(name));
  return withTimeout(work, deadlineMs, () =>
    log.warn({ part: name }, 'sweep: a task is taking longer than usual'),
  );
}

/**
 * Finishes or cleans up whatever was left behind. Tasks run in parallel and have a deadline each, so that none waits for
 * a slow one. There's no concurrency limit, which would make the next run wait for this one. A failed task fails the run
 * once all tasks are done; the next run tries again.
 *
 * Inngest bills each run and each step. So tasks aren't steps, and a run every two minutes, with those that events for
 * health checks start, is 23,400 executions a month of the 50,000 that are free.
 */
export function sweep(client: Inngest, deadlineMs = TASK_DEADLINE_MS) {
  return client.createFunction({ id: 'sweep', triggers: [cron('*/2 * * * *')], retries: 0 }, async () => {
    const names = Object.keys(TASKS);
    const start = (name: string) =>
      name === 'outbox' ? runTask(name, deadlineMs) : limit(runTask, name, deadlineMs);
    const ended = await Promise.allSettled(names.map(start));
    const failed = names.filter((_, index) => ended[index]?.status === 'rejected');
    if (failed.length > 0) {
      throw withSafeMessage(new Error(`These parts failed: ${failed.join(', ')}`));
    }
  });
}

/** Compares every plan with Stripe's subscriptions once an hour, to catch up on lost webhooks. */
export function reconcileBilling(client: Inngest) {
  return client.createFunction(
    { id: 'reconcile-billing', triggers: [cron('17 * * * *')], retries: 3, concurrency: [{ limit: 1 }] },
    () => reconcile(),
  );
}

/**
 * Records that events start runs, whether videos can be prepared here, and how fast. The sweep sends its event twice an
 * hour, the doctor each time, and health checks while no run has proved it.
 */
export function recordPing(client: Inngest) {
  return client.createFunction(
    { id: 'health-ping', triggers: [healthPinged], retries: 0 },
    async ({ event }) => {
      const { problem } = await readMediaTool();
      await reportJobRun(problem);
      if (event.data.settings) await reportEventRun(event.data.settings);
      if (areFunctions() && !problem) await shareMediaSpeed();
    },
  );
}
