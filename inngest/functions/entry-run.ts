import type { EntryRef, JobKind } from '@/lib/messaging/outbox/entry-jobs';
import { accountClosed, entryRemoved } from '@/lib/messaging/outbox/events';
import type { EntryStep } from '@/lib/video/processing/entry-files';
import { runEntryStep, STEP_RETRIES, type StepOutcome } from '@/lib/video/processing/step';
import { STEP_CONCURRENCY } from '@/lib/video/processing/watchdog';

/** Returns the options that every function that works on an entry has in common. */
export const commonOptions = () => ({
  // Most are for waiting until a service is back; `runEntryStep` limits the others.
  retries: STEP_RETRIES as typeof STEP_RETRIES,
  concurrency: [
    { limit: STEP_CONCURRENCY.all },
    { limit: STEP_CONCURRENCY.perUser, key: 'event.data.userId' },
  ] as [{ limit: number }, { limit: number; key: string }],
  cancelOn: [
    { event: entryRemoved, match: 'data.entryId' },
    { event: accountClosed, match: 'data.userId' },
  ],
});

/** Returns what a run returns, for whoever reads it in the job service's dashboard. */
export const ended = ({ entryId }: EntryRef, outcome: string) => ({ entryId, outcome });

/** Says why a run ended early, for the same reader. */
export const STOPPED = {
  removed: 'Stopped: the entry is in the trash or was deleted. Nothing to do.',
  superseded: 'Stopped: a newer run is doing this job. Nothing to do.',
  replaced: 'Stopped: another attempt has taken over. Nothing to do.',
  finished: 'Nothing to do: an earlier run already finished this.',
  waiting: 'Waiting: there’s no usable ffmpeg where this ran. The job starts again once there is.',
};

/** Returns what runs the steps of a run. */
export function stepsOf(
  kind: JobKind,
  {
    event,
    runId,
    attempt,
  }: { event: { data: EntryRef & { generation?: number | undefined } }; runId: string; attempt: number },
) {
  const { entryId, userId, generation = 0 } = event.data;
  const run = { kind, entryId, userId, generation, runId, attempt };
  return {
    entry: { entryId, userId },
    generation,
    /** Runs a step; see {@link runEntryStep}. */
    work: <T>(work: (step: EntryStep) => Promise<T>): Promise<StepOutcome<T>> => runEntryStep(run, work),
  };
}
