import { setTimeout as delay } from 'node:timers/promises';
import { inngest } from '@/lib/clients/inngest';
import { readJobService } from '@/lib/clients/inngest-check';
import { ownJobService, serveOrigin } from '@/lib/clients/job-service';
import { env } from '@/lib/foundation/env';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { healthPinged } from '@/lib/messaging/outbox/events';
import { secondsSinceEventRun, secondsSinceJobRun } from '@/lib/video/processing/process-reports';
import { forgetRegistration } from '@/lib/video/processing/registration';
import { findMediaProblems } from './media';

/** How long a run proves that jobs run, in seconds. The sweep is one every two minutes. */
const RUN_COUNTS_SECONDS = 180;
/** When a check starts the next run itself, in seconds: the sweep has been missed, as while a release starts. */
const RUN_MISSED_SECONDS = 130;

/** How old the last run that an event has started may be, in seconds: before a check tries one, and before it fails. */
interface EventProof {
  missedSeconds: number;
  countsSeconds: number;
}

/**
 * An event's run proves that the keys are of one environment, while other runs go on. Only new settings change that, and
 * those start without any proof. A check proves it itself if the sweep's event has been missed.
 */
const LATELY: EventProof = { missedSeconds: 35 * 60, countsSeconds: 40 * 60 };
/** When the sweep proves it again, in seconds; self-hosted Inngest stores 26 kB for each run, forever. */
const EVENT_RENEWED_SECONDS = 30 * 60;

const FIRST_PING_PAUSE_MS = 1000;
const LAST_PING_PAUSE_MS = 30_000;
const WAIT_PAUSE_MS = 500;

let pause = FIRST_PING_PAUSE_MS;
let nextPing = 0;

/** Returns a hash of what decides whether an event of this process starts a run, which tells nothing about the keys. */
export function jobSettings(): string {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return keyedHash([ownJobService()?.url ?? '', INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY]);
}

/** Sends an event whose run records itself. */
async function sendPing(): Promise<void> {
  await inngest().send(healthPinged.create({ settings: jobSettings() }));
}

/** Sends such an event at most once in a while, since nobody knows when the app is synced. */
async function ping(): Promise<void> {
  const now = performance.now();
  if (now < nextPing) return;
  nextPing = now + pause;
  pause = Math.min(pause * 2, LAST_PING_PAUSE_MS);
  await sendPing();
}

const never = Number.POSITIVE_INFINITY;

/** Sends an event that proves that events start runs, unless one has lately. */
export async function renewEventProof(): Promise<void> {
  const seconds = (await secondsSinceEventRun(jobSettings())) ?? never;
  if (seconds >= EVENT_RENEWED_SECONDS) await sendPing();
}

/** Returns whether the job service has started a run recently. */
export async function hasRecentRun(): Promise<boolean> {
  return ((await secondsSinceJobRun()) ?? never) < RUN_COUNTS_SECONDS;
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
async function findRunProblem(isSynced: boolean | null, proof: EventProof): Promise<string | undefined> {
  if (isSynced === false) {
    await forgetRegistration();
    return `This app isn’t registered with Inngest. ${HOW_TO_SYNC[env().JOBS]}`;
  }
  const [run, event] = await Promise.all([secondsSinceJobRun(), secondsSinceEventRun(jobSettings())]).then(
    (seconds) => seconds.map((one) => one ?? never) as [number, number],
  );
  if (run < RUN_MISSED_SECONDS && event < proof.missedSeconds) {
    pause = FIRST_PING_PAUSE_MS;
    return undefined;
  }
  await ping();
  const advice = `Make sure INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY are from the same environment. ${HOW_TO_REACH[env().JOBS]()}`;
  if (run >= RUN_COUNTS_SECONDS)
    return `Inngest accepts events, but hasn’t run any of this app’s jobs in the last 3 minutes. ${advice}`;
  if (event >= proof.countsSeconds)
    return `Inngest accepts events, but the last one hasn’t started a job, although jobs run by the clock. ${advice}`;
  return undefined;
}

interface Options {
  /** How long each request may take, in milliseconds. */
  timeoutMs: number;
  /** How long to wait for the first run and for workers to connect, in milliseconds; not at all by default. */
  waitMs?: number;
  /** Whether the app runs, so that its jobs can too. */
  isRunning?: boolean;
  /** Whether to try an event now, whatever has been proved before. Needs time to wait for its run. */
  triesEvent?: boolean;
}

/**
 * Returns why a job that's sent now wouldn't run, in sentences for the operator. A run in the last three minutes proves
 * that the job service reaches the app, and one that an event of the same settings has started in the last 40 that their
 * keys match. Without either, sends such an event.
 */
export async function findJobsProblems({
  timeoutMs,
  waitMs = 0,
  isRunning = true,
  triesEvent = false,
}: Options): Promise<string[]> {
  const started = performance.now();
  const deadline = started + waitMs;
  const since = (): number => (performance.now() - started) / 1000;
  for (;;) {
    const [{ problems, isSynced }, mediaProblems] = await Promise.all([
      readJobService(timeoutMs),
      findMediaProblems(),
    ]);
    const proof = triesEvent ? { missedSeconds: since(), countsSeconds: since() } : LATELY;
    const runProblem = isRunning && problems.length === 0 ? await findRunProblem(isSynced, proof) : undefined;
    const found = [...(runProblem ? [runProblem] : []), ...problems, ...mediaProblems];
    // A run may be about to start, and a worker about to connect. The others stay until someone acts.
    const stays = problems.length > 0 || (!runProblem && env().JOBS === 'serve' && mediaProblems.length > 0);
    if (found.length === 0 || stays || performance.now() >= deadline) return found;
    await delay(WAIT_PAUSE_MS, undefined, { ref: false });
  }
}
