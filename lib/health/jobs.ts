import { setTimeout as delay } from 'node:timers/promises';
import { env } from '@/lib/env';
import { healthPinged } from '@/lib/outbox/events';
import { inngest } from '@/lib/services/inngest';
import { readJobService } from '@/lib/services/inngest-check';
import { findMediaProblems } from './media';
import { secondsSinceJobRun } from './process-reports';

/** How long a run proves that jobs run, in seconds. The sweep runs every minute. */
const RUN_COUNTS_SECONDS = 180;

const FIRST_PING_PAUSE_MS = 1000;
const LAST_PING_PAUSE_MS = 30_000;
const WAIT_PAUSE_MS = 500;

let pause = FIRST_PING_PAUSE_MS;
let nextPing = 0;

/** Sends an event whose run records itself, at most once in a while, since nobody knows when the app is synced. */
async function ping(): Promise<void> {
  const now = performance.now();
  if (now < nextPing) return;
  nextPing = now + pause;
  pause = Math.min(pause * 2, LAST_PING_PAUSE_MS);
  await inngest().send(healthPinged.create({}));
}

/** Returns whether the job service has started a run recently. */
export async function hasRecentRun(): Promise<boolean> {
  const seconds = await secondsSinceJobRun();
  return seconds !== null && seconds < RUN_COUNTS_SECONDS;
}

const HOW_TO_SYNC = {
  serve: 'The app registers when it starts. If it has, check INNGEST_SERVE_ORIGIN and the app’s log.',
  worker: 'Workers register when they connect. Start one with `npm run worker`.',
};

/** Returns why Inngest doesn't start runs although it accepts the keys; undefined if it does. */
async function findRunProblem(isSynced: boolean | null): Promise<string | undefined> {
  if (isSynced === false) return `Inngest doesn’t know this app. ${HOW_TO_SYNC[env().JOBS]}`;
  if (await hasRecentRun()) {
    pause = FIRST_PING_PAUSE_MS;
    return undefined;
  }
  await ping();
  return (
    'Inngest accepts events, but hasn’t run a job of this app in the last 3 minutes. ' +
    'Check that both keys are of the same environment, that Inngest reaches the app, and Inngest’s dashboard.'
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
 * Returns why a job that's sent now wouldn't run, in sentences for the operator. A run in the last three minutes proves
 * that the job service reaches the app and that their keys match. Without one, sends an event that starts one.
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
