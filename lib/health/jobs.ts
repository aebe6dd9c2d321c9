import { setTimeout as delay } from 'node:timers/promises';
import { env } from '@/lib/env';
import { healthPinged } from '@/lib/outbox/events';
import { secondsSinceJobRun } from '@/lib/processing/process-reports';
import { forgetRegistration } from '@/lib/processing/registration';
import { inngest } from '@/lib/services/inngest';
import { readJobService } from '@/lib/services/inngest-check';
import { serveOrigin } from '@/lib/services/job-service';
import { findMediaProblems } from './media';

/** How long a run proves that jobs run, in seconds. The sweep starts one every two minutes. */
const RUN_COUNTS_SECONDS = 180;
/** When a check starts the next run itself, in seconds: the sweep's has been missed, as while a release starts. */
const RUN_MISSED_SECONDS = 130;

const FIRST_PING_PAUSE_MS = 1000;
const LAST_PING_PAUSE_MS = 30_000;
const WAIT_PAUSE_MS = 500;

let pause = FIRST_PING_PAUSE_MS;
let nextPing = 0;

/** Sends an event whose run records itself. */
export async function sendPing(): Promise<void> {
  await inngest().send(healthPinged.create({}));
}

/** Sends such an event at most once in a while, since nobody knows when the app is synced. */
async function ping(): Promise<void> {
  const now = performance.now();
  if (now < nextPing) return;
  nextPing = now + pause;
  pause = Math.min(pause * 2, LAST_PING_PAUSE_MS);
  await sendPing();
}

/** Returns whether an event has started a run recently. */
export async function hasRecentRun(): Promise<boolean> {
  return ((await secondsSinceJobRun()) ?? Number.POSITIVE_INFINITY) < RUN_COUNTS_SECONDS;
}

const HOW_TO_SYNC = {
  serve:
    'The app registers itself when it starts, and on serverless hosts with a request to its address, at most once a minute. ' +
    'If that doesn’t help, check its log and INNGEST_SERVE_ORIGIN, or add Inngest’s integration for your host.',
  worker: 'Workers register themselves when they connect. Start one with `npm run worker`.',
};

const HOW_TO_REACH = {
  serve: () => `Then check in Inngest’s dashboard whether it can reach ${serveOrigin()}.`,
  worker: () => 'Then check the workers’ logs and Inngest’s dashboard.',
};

/** Returns why Inngest doesn't start runs although it accepts the keys; undefined if it does. */
async function findRunProblem(isSynced: boolean | null): Promise<string | undefined> {
  if (isSynced === false) {
    await forgetRegistration();
    return `This app isn’t registered with Inngest. ${HOW_TO_SYNC[env().JOBS]}`;
  }
  const seconds = (await secondsSinceJobRun()) ?? Number.POSITIVE_INFINITY;
  if (seconds < RUN_MISSED_SECONDS) {
    pause = FIRST_PING_PAUSE_MS;
    return undefined;
  }
  await ping();
  if (seconds < RUN_COUNTS_SECONDS) return undefined;
  return (
    'Inngest accepts events, but hasn’t run any of this app’s jobs in the last 3 minutes. ' +
    `Make sure INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY are from the same environment. ${HOW_TO_REACH[env().JOBS]()}`
  );
}

interface Options {
  /** How long each request may take, in milliseconds. */
  timeoutMs: number;
  /** How long to wait for the first run and for workers to connect, in milliseconds; not at all by default. */
  waitMs?: number;
  /** Whether the app runs, so that its jobs can too. */
  isRunning?: boolean;
}

/**
 * Returns why a job that's sent now wouldn't run, in sentences for the operator. A run that an event started in the last
 * three minutes proves that the job service reaches the app and that their keys match. Without one, sends such an event.
 */
export async function findJobsProblems({
  timeoutMs,
  waitMs = 0,
  isRunning = true,
}: Options): Promise<string[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const [{ problems, isSynced }, mediaProblems] = await Promise.all([
      readJobService(timeoutMs),
      findMediaProblems(),
    ]);
    const runProblem = isRunning && problems.length === 0 ? await findRunProblem(isSynced) : undefined;
    const found = [...(runProblem ? [runProblem] : []), ...problems, ...mediaProblems];
    // A run may be about to start, and a worker about to connect. The others stay until someone acts.
    const stays = problems.length > 0 || (env().JOBS === 'serve' && mediaProblems.length > 0);
    if (found.length === 0 || stays || performance.now() >= deadline) return found;
    await delay(WAIT_PAUSE_MS, undefined, { ref: false });
  }
}
