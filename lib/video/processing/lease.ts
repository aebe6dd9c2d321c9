import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { log } from '@/lib/foundation/log';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { EntryRef, JobKind } from '@/lib/messaging/outbox/entry-jobs';
import { currentProcessId, ownerState } from './owner-process';

/** A run of an entry's job. */
export interface JobRun extends EntryRef {
  kind: JobKind;
  /** Of the event that started the run. */
  generation: number;
  runId: string;
}

/**
 * Why a step may not go on: its entry is in the trash or purged, another run does this job now, or another attempt of
 * the same step has taken over.
 */
export type StopReason = 'removed' | 'superseded' | 'replaced';

/** The reason that a step's signal is aborted with. */
export class StepStopped extends Error {
  override readonly name = 'StepStopped';
  constructor(readonly reason: StopReason) {
    super(`This attempt has to stop: ${reason}.`);
    withSafeMessage(this);
  }
}

/** How often a running step renews its lease, and learns whether it must stop. */
const BEAT_MS = 5000;
/** A lease that wasn't renewed for this long belongs to a process that was killed. */
const STALE = sql`interval '20 seconds'`;
/** How long a holder that only couldn't reach the database has to notice that it must stop. */
const TAKEOVER_TIMEOUT_MS = BEAT_MS + 2000;
const POLL_MS = 250;
/** How long to wait for the previous attempt to stop. */
const MAX_WAIT_MS = 60_000;

/** The right to work on an entry's job. */
export type Lease = ReturnType<typeof hold>;

const rowOf = ({ entryId, kind }: JobRun) =>
  sql`${entryJobs.entryId} = ${entryId} and ${entryJobs.kind} = ${kind}`;

/** The id of an attempt, from which others can tell its process and its run. */
const attemptId = (runId: string) => `${currentProcessId()}/${runId}/${randomUUID()}`;
const processOf = (attempt: string) => attempt.split('/')[0] ?? '';
const runOf = (attempt: string) => attempt.split('/')[1];

/** Takes the lease if it's free, or becomes the attempt that waits for it. @returns the holder; undefined to stop */
async function claim(
  run: JobRun,
  me: string,
  { first, mayTakeOver, ended }: { first: boolean; mayTakeOver: boolean; ended: string },
): Promise<string | undefined> {
  const free = sql`(${entryJobs.holder} is null or ${entryJobs.holder} = ${ended}
    or (${mayTakeOver} and ${entryJobs.beatAt} < now() - ${STALE}))`;
  const either = (yes: SQL, no: SQL) => sql`case when ${free} then ${yes} else ${no} end`;
  const [row] = await db()
    .update(entryJobs)
    .set({
      holder: either(sql`${me}`, sql`${entryJobs.holder}`),
      successor: either(sql`null`, sql`${me}`),
      beatAt: either(sql`now()`, sql`${entryJobs.beatAt}`),
    })
    .where(
      sql`${rowOf(run)} and ${entryJobs.generation} <= ${run.generation}
        and (${first} or ${entryJobs.successor} = ${me})
        and exists (select from ${entries} where ${ownedEntry(run.userId, run.entryId)})`,
    )
    .returning({ holder: entryJobs.holder });
  return row?.holder ?? undefined;
}

/** Returns why an attempt that doesn't have the lease, and can't wait for it, must stop. */
export async function findStopReason(run: JobRun): Promise<StopReason> {
  const [row] = await db()
    .select({
      generation: entryJobs.generation,
      other: sql<string | null>`coalesce(${entryJobs.successor}, ${entryJobs.holder})`,
    })
    .from(entries)
    .innerJoin(entryJobs, rowOf(run))
    .where(ownedEntry(run.userId, run.entryId));
  if (!row) return 'removed';
  const sameRun = row.generation <= run.generation && (!row.other || runOf(row.other) === run.runId);
  return sameRun ? 'replaced' : 'superseded';
}

/**
 * Takes the lease of a job for an attempt. An earlier attempt that still holds it is asked to stop, and this waits
 * until it has, or until its process is known to be gone: two attempts never work at the same time.
 * @param controller aborts the work when it must stop; once aborted, this doesn't wait any longer
 * @throws Error if the earlier attempt doesn't stop
 */
export async function takeLease(run: JobRun, controller: AbortController): Promise<Lease | StopReason> {
  const me = attemptId(run.runId);
  const { entryId, kind, generation, userId } = run;
  // Events from before this table existed have no row.
  await db().execute(sql`
    insert into ${entryJobs} (entry_id, kind, generation)
    select id, ${kind}::job_kind, ${generation} from ${entries} where ${ownedEntry(userId, entryId)}
    on conflict do nothing`);
  const since = performance.now();
  for (let ended = '', first = true; ; first = false) {
    const waited = performance.now() - since;
    const holder = await claim(run, me, { first, mayTakeOver: waited > TAKEOVER_TIMEOUT_MS, ended });
    if (!holder) return findStopReason(run);
    if (holder === me) return hold(run, me, controller);
    if (waited > MAX_WAIT_MS || controller.signal.aborted) {
      await db()
        .update(entryJobs)
        .set({ successor: null })
        .where(sql`${rowOf(run)} and ${entryJobs.successor} = ${me}`);
      throw withSafeMessage(new Error('An earlier attempt of this step has not stopped.'));
    }
    ended = ownerState(processOf(holder)) === 'ended' ? holder : '';
    if (!ended) await delay(POLL_MS);
  }
}

/** Renews a lease until it's released, and aborts the work when it must stop. */
function hold(run: JobRun, me: string, controller: AbortController) {
  const isMine = sql`${rowOf(run)} and ${entryJobs.holder} = ${me}`;
  const beat = async () => {
    const [row] = await db()
      .update(entryJobs)
      .set({ beatAt: sql`now()` })
      .where(isMine)
      .returning({
        canContinue: sql<boolean>`${entryJobs.successor} is null and ${entryJobs.generation} <= ${run.generation}
          and exists (select from ${entries} where ${ownedEntry(run.userId, run.entryId)})`,
      });
    if (!row?.canContinue && !controller.signal.aborted) {
      controller.abort(new StepStopped(await findStopReason(run)));
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    timer = setTimeout(() => {
      beat()
        // Without the database, nobody else can take over either.
        .catch((err: unknown) => log.warn({ err, entryId: run.entryId }, 'jobs: a lease was not renewed'))
        .finally(() => timer && schedule());
    }, BEAT_MS);
  };
  schedule();
  return {
    holder: me,
    /**
     * Gives the lease back.
     * @param failed counts as a failed attempt; otherwise the count starts over, unless it's `unchanged`
     * @param isWaiting the run ends, and counts as heard from: the watchdog starts another one once it could work
     * @param silentSeconds when the run is expected to be heard from again
     * @returns how many attempts in a row have failed; null if the lease was lost
     */
    async release({
      failed,
      silentSeconds = 0,
      isWaiting = false,
    }: {
      failed: boolean | 'unchanged';
      silentSeconds?: number;
      isWaiting?: boolean;
    }): Promise<number | null> {
      clearTimeout(timer);
      timer = undefined;
      const counted = { true: sql`${entryJobs.failures} + 1`, false: sql`0`, unchanged: entryJobs.failures };
      const [row] = await db()
        .update(entryJobs)
        .set({
          holder: null,
          failures: sql`${counted[`${failed}`]}`,
          ...(isWaiting && { resends: 0 }),
          beatAt: sql`now() + ${silentSeconds} * interval '1 second'`,
        })
        .where(isMine)
        .returning({ failures: entryJobs.failures });
      return row?.failures ?? null;
    },
  };
}
