import { and, eq, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import type { Database, Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs, type jobKind } from '@/db/schema/jobs';
import { previews } from '@/db/schema/previews';
import type { OutboxEvent } from './events';
import { enqueueEvents } from './service';

export type JobKind = (typeof jobKind.enumValues)[number];

/** The entry that a job works on. */
export interface EntryRef {
  entryId: string;
  userId: string;
}

const EVENTS = {
  video: 'entry/uploaded',
  previews: 'entry/video.ready',
  transcript: 'entry/transcript.wanted',
} as const satisfies Record<JobKind, OutboxEvent['name']>;

/** Adds the events that start runs to the outbox. Each generation of a job has an event id of its own. */
async function enqueueStarts(
  tx: Transaction | Database,
  kind: JobKind,
  starts: (EntryRef & { generation: number })[],
): Promise<void> {
  await enqueueEvents(
    tx,
    starts.map((data) => ({
      id: `${kind}-${data.entryId}-${data.generation}`,
      event: { name: EVENTS[kind], data },
    })),
  );
}

/** Matches a job's row while the event that starts its run is still in the outbox. */
export const isStartQueued = sql`exists (select from outbox where outbox.id =
  ${entryJobs.kind} || '-' || ${entryJobs.entryId} || '-' || ${entryJobs.generation})`;

/** Matches an entry's row unless a later run of its job has been started than that of a generation. */
export const isCurrentRun = (kind: JobKind, generation: number) =>
  sql`not exists (select from ${entryJobs} where ${entryJobs.entryId} = ${entries.id}
    and ${entryJobs.kind} = ${kind} and ${entryJobs.generation} > ${generation})`;

/**
 * Starts the same job of several entries, in the transaction that causes it. Each gets a new generation, so that runs
 * that were started before stop.
 */
export async function startJobs(tx: Transaction | Database, kind: JobKind, refs: EntryRef[]): Promise<void> {
  if (refs.length === 0) return;
  const rows = await tx
    .insert(entryJobs)
    .values(refs.map(({ entryId }) => ({ entryId, kind, generation: 1 })))
    .onConflictDoUpdate({
      target: [entryJobs.entryId, entryJobs.kind],
      set: {
        generation: sql`${entryJobs.generation} + 1`,
        resends: 0,
        failures: 0,
        beatAt: sql`now()`,
      },
    })
    .returning({ entryId: entryJobs.entryId, generation: entryJobs.generation });
  const generations = new Map(rows.map(({ entryId, generation }) => [entryId, generation]));
  const starts = refs.map(({ entryId, userId }) => ({
    entryId,
    userId,
    generation: generations.get(entryId) ?? 1,
  }));
  await enqueueStarts(tx, kind, starts);
  // From now on, the watchdog looks for them.
  if (kind !== 'previews') return;
  await tx
    .insert(previews)
    .values(refs.map(({ entryId }) => ({ entryId })))
    .onConflictDoNothing();
}

/** Returns the ids of those entries whose job was ever started. */
export async function startedOf(
  tx: Transaction | Database,
  kind: JobKind,
  refs: Pick<EntryRef, 'entryId'>[],
): Promise<Set<string>> {
  const ids = refs.map(({ entryId }) => entryId);
  if (ids.length === 0) return new Set();
  const started = await tx
    .select({ id: entryJobs.entryId })
    .from(entryJobs)
    .where(and(anyOf(entryJobs.entryId, ids), eq(entryJobs.kind, kind)));
  return new Set(started.map(({ id }) => id));
}

/** How often a job whose run is gone is started again before it fails. */
const MAX_RESENDS = 3;

/**
 * Starts a job again whose run is gone, unless it was heard from meanwhile.
 * @param isSilent the condition on its row
 * @returns false if it has been started again too often
 */
export async function resendJob(
  tx: Transaction,
  job: EntryRef & { kind: JobKind; generation: number },
  isSilent: ReturnType<typeof sql>,
): Promise<'resent' | 'exhausted' | 'heard'> {
  const { kind, entryId, userId } = job;
  const [row] = await tx
    .update(entryJobs)
    .set({
      generation: sql`${entryJobs.generation} + case when ${entryJobs.resends} < ${MAX_RESENDS} then 1 else 0 end`,
      resends: sql`${entryJobs.resends} + 1`,
      failures: 0,
      beatAt: sql`now()`,
    })
    .where(
      sql`${entryJobs.entryId} = ${entryId} and ${entryJobs.kind} = ${kind}
        and ${entryJobs.generation} = ${job.generation} and ${isSilent}`,
    )
    .returning({ generation: entryJobs.generation, resends: entryJobs.resends });
  if (!row) return 'heard';
  if (row.resends > MAX_RESENDS) return 'exhausted';
  await enqueueStarts(tx, kind, [{ entryId, userId, generation: row.generation }]);
  return 'resent';
}
