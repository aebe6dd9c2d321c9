import { sql } from 'drizzle-orm';
import { NonRetriableError, RetryAfterError } from 'inngest';
import { db } from '@/db/client';
import { isDatabaseUnavailable } from '@/db/errors';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { SpeechError, speechErrorKind } from '@/lib/clients/speech-error';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { safeError } from '@/lib/foundation/safe-error';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { MediaError, type MediaErrorKind } from '@/lib/video/media/errors';
import { deleteObjectsIfPurged, type EntryStep, removeCachedCopies } from './entry-files';
import { stepSeconds } from './job-limits';
import { findStopReason, type JobRun, type Lease, StepStopped, type StopReason, takeLease } from './lease';
import { isFfmpegGone } from './media-tool';
import { tooSlow } from './video-time';

/** An attempt of a run's step. */
export interface StepAttempt extends JobRun {
  /** Counts from 0. */
  attempt: number;
}

/**
 * A step's outcome: its result, what to tell the owner if the file itself is at fault, or why the run ends. Any other
 * failure is thrown, and the step is retried.
 */
export type StepOutcome<T> = { done: T } | { refused: string } | { stopped: EndReason };

/** `finished`: another run has done it. `waiting`: there's no ffmpeg here; the watchdog starts another run once there is. */
type EndReason = StopReason | 'finished' | 'waiting';

/** How often Inngest may retry a step: its maximum, since a service may be away for long. */
export const STEP_RETRIES = 20;
/** How many attempts in a row may fail for another reason. */
const MAX_FAILURES = 5;
/** The name of the error of a run that ends because a service stayed away. It isn't the entry's failure. */
export const UNAVAILABLE = 'Unavailable';

const PERMANENT = new Set<MediaErrorKind>([
  ...(['unreadable', 'no_video', 'unsupported', 'replaced', 'source_missing'] as const),
  ...(['too_large', 'too_slow'] as const),
]);
/** Not the file's fault: the machine's. */
const PASSING = new Set(['disk_full', 'no_ffmpeg']);

/** Returns the seconds until the next attempt: 10, doubling up to a minute, so that recovery is noticed soon. */
const waitSeconds = (attempt: number) => Math.min(10 * 2 ** attempt, 60);

/** Returns whether a run has nothing left to do, because another run has done it. */
async function isFinished({ kind, userId, entryId }: JobRun): Promise<boolean> {
  const finished = {
    video: sql<boolean>`${entries.videoStatus} = 'ready'`,
    previews: sql<boolean>`false`,
    transcript: sql<boolean>`${entries.transcriptStatus} = 'no_speech'
      or (${entries.transcriptStatus} = 'completed' and exists (select from ${transcripts}
        where ${transcripts.entryId} = ${entries.id} and ${transcripts.revision} = 0
          and not ${transcripts.draft}))`,
  }[kind];
  const [row] = await db().select({ finished }).from(entries).where(ownedEntry(userId, entryId));
  return row?.finished ?? false;
}

/** Ends an attempt that may not go on, and removes what it left. */
async function stop(run: StepAttempt, reason: EndReason): Promise<{ stopped: EndReason }> {
  // The job service asked for this attempt, and may still listen to it.
  if (reason === 'replaced') throw retryAfter(new StepStopped(reason), waitSeconds(run.attempt));
  if (reason === 'removed') {
    // An earlier attempt may have been killed between its upload and the check after it.
    await deleteObjectsIfPurged(run);
    await removeCachedCopies(run.entryId);
  }
  return { stopped: reason };
}

/** Returns an error that says when to try again, with the name that `onFailure` gets if it was the last attempt. */
function retryAfter(error: Error, seconds: number, name = error.name): Error {
  const { message } = safeError(error);
  const later = new RetryAfterError(message, seconds * 1000, { cause: error });
  return withSafeMessage(Object.assign(later, { name }));
}

const toError = (error: unknown) => (error instanceof Error ? error : new Error('Not an error.'));

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

function isAway(error: Error): boolean {
  const { code } = error as { code?: unknown };
  const kind = speechErrorKind(error);
  return (
    (error instanceof AppError && error.code === 'unavailable') ||
    (typeof code === 'string' && CONNECTION_CODES.has(code)) ||
    error.name === 'TimeoutError' ||
    kind === 'unavailable' ||
    kind === 'rate_limited'
  );
}

/**
 * Returns whether an error says that the database, storage, or the speech service is away or overloaded: the same
 * attempt succeeds once it's back.
 */
function isUnavailable(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1) {
    if (isAway(inner)) return true;
  }
  return false;
}

/** Returns the error to throw for a service that's away, or undefined if none is. */
export function waitForService(error: unknown, attempt: number): Error | undefined {
  if (!isUnavailable(error)) return undefined;
  if (error instanceof SpeechError) {
    // A second, as some ask for, would use up the attempts in no time.
    return retryAfter(error, Math.max(error.retryAfterSeconds ?? 0, waitSeconds(attempt)));
  }
  const away = withSafeMessage(new Error('A service is away.', { cause: toError(error) }));
  return retryAfter(away, waitSeconds(attempt), UNAVAILABLE);
}

const isMediaError = (error: unknown, kind: MediaErrorKind) =>
  error instanceof MediaError && error.kind === kind;

/** Classifies a failed attempt, gives its lease back, and returns the outcome or throws what makes the next attempt. */
async function settleFailure(
  run: StepAttempt,
  lease: Lease,
  error: unknown,
): Promise<{ refused: string } | { stopped: EndReason }> {
  if (error instanceof StepStopped) {
    await lease.release({ failed: 'unchanged' });
    return stop(run, error.reason);
  }
  const later = waitForService(error, run.attempt);
  if (later) {
    const silentSeconds = later instanceof RetryAfterError ? Number(later.retryAfter) : 0;
    await lease.release({ failed: 'unchanged', silentSeconds }).catch(() => null);
    throw later;
  }
  if (isMediaError(error, 'no_ffmpeg') && (await isFfmpegGone())) {
    const kept = await lease.release({ failed: 'unchanged', isWaiting: true });
    return stop(run, kept === null ? await findStopReason(run) : 'waiting');
  }
  // So that the next attempt has space.
  if (isMediaError(error, 'disk_full')) await removeCachedCopies();
  const failures = await lease.release({ failed: true });
  if (failures === null) return stop(run, await findStopReason(run));
  if (error instanceof MediaError) {
    log.warn({ entryId: run.entryId, kind: error.kind, failures }, 'media: a step failed');
    // An ffmpeg failure that happens again is permanent.
    if (PERMANENT.has(error.kind) || (failures > 1 && !PASSING.has(error.kind))) {
      return { refused: error.message };
    }
  }
  if (error instanceof SpeechError && (error.kind === 'rejected' || error.kind === 'not_configured')) {
    return { refused: error.message };
  }
  if (failures < MAX_FAILURES) {
    throw retryAfter(toError(error), waitSeconds(failures - 1));
  }
  const last = toError(error);
  throw Object.assign(new NonRetriableError(last.message, { cause: last }), { name: last.name });
}

/**
 * Runs a step of an entry's job, alone: takes the job's lease, aborts the work when the entry is removed, when another
 * run or attempt takes over, and when it takes longer than the host allows, and classifies errors. A service that's
 * away is waited for; other failures count toward a small limit.
 */
export async function runEntryStep<T>(
  run: StepAttempt,
  work: (step: EntryStep) => Promise<T>,
): Promise<StepOutcome<T>> {
  const controller = new AbortController();
  const { signal } = controller;
  const limit = setTimeout(() => controller.abort(tooSlow()), stepSeconds() * 1000);
  try {
    const lease = await takeLease(run, controller);
    if (typeof lease === 'string') return await stop(run, lease);
    try {
      if (await isFinished(run)) {
        await lease.release({ failed: false });
        return await stop(run, 'finished');
      }
      const done = await work({ entryId: run.entryId, userId: run.userId, signal, holder: lease.holder });
      signal.throwIfAborted();
      const kept = await lease.release({ failed: false });
      return kept === null ? await stop(run, await findStopReason(run)) : { done };
    } catch (error) {
      return await settleFailure(run, lease, signal.aborted ? signal.reason : error);
    }
  } catch (error) {
    if (error instanceof RetryAfterError || error instanceof NonRetriableError) throw error;
    throw waitForService(error, run.attempt) ?? error;
  } finally {
    clearTimeout(limit);
  }
}
