import { type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { attemptAll } from '@/lib/foundation/attempt-all';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { failTranscript, TRANSCRIPT_FAILED } from '@/lib/journal/transcripts/service';
import { type EntryRef, isStartQueued, type JobKind, resendJob } from '@/lib/messaging/outbox/entry-jobs';
import { endPreviews } from '@/lib/video/previews/service';
import { canRunJobs } from './media-tool';
import { failVideo, VIDEO_FAILED } from './video';

/** How many steps of each function may run at once, in all and for each account. */
export const STEP_CONCURRENCY = { all: 4, perUser: 2 };
/** How many steps Inngest's smallest plan runs at once, of all functions. */
const SMALLEST_PLAN = 5;

/** Longer than any wait between a run's attempts. */
const SILENT_MINUTES = 4;
const silentFor = (minutes: number) => sql`${entryJobs.beatAt} < now() - ${minutes} * interval '1 minute'`;
const SILENT = silentFor(SILENT_MINUTES);
/** Several beats. It also bridges the pause between two steps, and from the end of a run to the start of the next one. */
const LIVE = sql`between now() - interval '15 seconds' and now()`;
/** How many jobs one run resends at most. */
const BATCH = 100;

/** The same condition as the index `entries_unfinished`. */
export const IS_UNFINISHED = sql`(${entries.trashedAt} is null
  and (${entries.videoStatus} in ('uploaded', 'processing') or ${entries.transcriptStatus} = 'processing'))`;

/** What a job's entry looks like while the job should be running. Previews have {@link LACKS_PREVIEWS}. */
export const IS_PENDING = sql`((${entryJobs.kind} = 'video' and ${entries.videoStatus} in ('uploaded', 'processing'))
  or (${entryJobs.kind} = 'transcript' and ${entries.transcriptStatus} = 'processing'))`;

/** A job of previews that no run has come to the end of. Uses the index `previews_unfinished`. */
export const LACKS_PREVIEWS = sql`(${entryJobs.kind} = 'previews' and ${entries.trashedAt} is null
  and ${entries.videoStatus} = 'ready'
  and exists (select from previews where previews.entry_id = ${entries.id} and previews.waveform is null))`;

/** Adds the rows of jobs that were started before there were any. Their runs have as long as others from now on. */
async function addMissingRows(): Promise<void> {
  const missing = (kind: JobKind, condition: SQL) => sql`
    insert into ${entryJobs} (entry_id, kind)
    select id, ${kind}::job_kind from ${entries} where ${IS_UNFINISHED} and ${condition}
      and not exists (select from ${entryJobs} where ${entryJobs.entryId} = ${entries.id}
        and ${entryJobs.kind} = ${kind})
    order by id
    on conflict do nothing`;
  await db().execute(missing('video', sql`${entries.videoStatus} in ('uploaded', 'processing')`));
  // Before, the run of the video requests the transcript.
  await db().execute(
    missing(
      'transcript',
      sql`${entries.videoStatus} = 'ready' and ${entries.transcriptStatus} = 'processing'`,
    ),
  );
}

/** Lets the time of a job whose event hasn't been delivered start when it is. */
async function postponeQueued(): Promise<void> {
  // Two statements, since an index doesn't help with both conditions at once.
  for (const condition of [sql`${IS_UNFINISHED} and ${IS_PENDING}`, LACKS_PREVIEWS]) {
    await db().execute(sql`
      update ${entryJobs} set beat_at = now()
      where (entry_id, kind) in (
        select ${entryJobs.entryId}, ${entryJobs.kind}
        from ${entries} join ${entryJobs} on ${entryJobs.entryId} = ${entries.id}
        where ${condition} and ${entryJobs.beatAt} < now() and ${isStartQueued}
        for update of entry_jobs skip locked)`);
  }
}

/** Returns how long ago the last sign of life was of the upload that has gone without one for longest, in seconds. */
export async function secondsOfSilence(): Promise<number> {
  const [row] = await db().execute<{ seconds: number }>(sql`
    select coalesce(extract(epoch from now() - min(${entryJobs.beatAt})), 0)::float8 as seconds
    from ${entries} join ${entryJobs} on ${entryJobs.entryId} = ${entries.id} and ${entryJobs.kind} = 'video'
    where ${IS_UNFINISHED} and ${IS_PENDING}`);
  return Math.max(row?.seconds ?? 0, 0);
}

type GoneJob = EntryRef & { kind: JobKind; generation: number };

/** Returns the jobs that meet a condition among those that {@link findGoneJobs} looks for. */
function selectGoneJobs(condition: SQL, minutes: number, limit: number): Promise<GoneJob[]> {
  return db().execute<GoneJob & Record<string, unknown>>(sql`
    with live as (
      select job.kind, entry.user_id, count(*) as count
      from entry_jobs job join entries entry on entry.id = job.entry_id
      where job.beat_at ${LIVE}
      group by job.kind, entry.user_id)
    select ${entryJobs.entryId} as "entryId", ${entries.userId} as "userId", ${entryJobs.kind}, ${entryJobs.generation}
    from ${entryJobs} join ${entries} on ${entries.id} = ${entryJobs.entryId}
    where ${condition} and ${silentFor(minutes)}
      and coalesce((select sum(count) from live), 0) < ${SMALLEST_PLAN}
      and coalesce((select sum(count) from live where live.kind = ${entryJobs.kind}), 0) < ${STEP_CONCURRENCY.all}
      and coalesce((select count from live where live.kind = ${entryJobs.kind}
        and live.user_id = ${entries.userId}), 0) < ${STEP_CONCURRENCY.perUser}
    order by ${entryJobs.beatAt}
    limit ${limit}`);
}

/**
 * Returns jobs that nobody has heard of for a while although the job service could run them: with as many running as
 * may run at once, they may just be waiting for their turn, for hours.
 * @param minutes how long they've been silent
 * @param limit how many to return at most
 * @returns those that have been silent for longest first, and previews last
 */
export async function findGoneJobs(minutes = SILENT_MINUTES, limit = BATCH): Promise<GoneJob[]> {
  const unfinished = await selectGoneJobs(sql`${IS_UNFINISHED} and ${IS_PENDING}`, minutes, limit);
  const previews = await selectGoneJobs(LACKS_PREVIEWS, minutes, limit);
  return [...unfinished, ...previews].slice(0, limit);
}

/** Starts a job again whose run is gone. After the third time, it fails, and its owner can try again; there are no previews. */
async function resume(job: GoneJob): Promise<void> {
  const { kind, entryId, userId } = job;
  const outcome = await db().transaction(async (tx) => {
    // Like everything that starts jobs: the entry first, then the job.
    const [entry] = await tx
      .select({ id: entries.id })
      .from(entries)
      .where(ownedEntry(userId, entryId))
      .for('no key update');
    if (!entry) return 'heard';
    const result = await resendJob(tx, job, SILENT);
    if (result === 'exhausted' && kind === 'video') await failVideo(job, VIDEO_FAILED, { tx });
    if (result === 'exhausted' && kind === 'transcript') await failTranscript(job, TRANSCRIPT_FAILED, { tx });
    if (result === 'exhausted' && kind === 'previews') await endPreviews(job, { tx });
    return result;
  });
  const facts = { entryId, kind, generation: job.generation };
  if (outcome === 'resent') {
    log.warn({ event: 'jobs.resent', ...facts }, 'jobs: a run was gone, so it was started again');
  }
  if (outcome === 'exhausted') {
    log.error({ event: 'jobs.lost', ...facts }, 'jobs: runs keep disappearing; check that the app is synced');
  }
}

/**
 * Starts the jobs again whose runs are gone: the app was away for longer than the retries, the job service lost them,
 * or somebody canceled them, or they wait for ffmpeg. Needs only the database, and may run in several processes at once.
 * @throws Error after trying all of them, if any failed
 */
export async function resumeGoneJobs(): Promise<void> {
  await addMissingRows();
  await postponeQueued();
  const gone = await findGoneJobs();
  // Another run would only end in the same way. Once there's ffmpeg, a waiting job is one whose run is gone.
  if (gone.length === 0 || !(await canRunJobs())) return;
  await attemptAll('jobs: resume', gone, resume, { name: ({ entryId }) => entryId });
}

const POLL_MS = 20_000;

// Next may call what starts it more than once.
const polling = perProcess('watchdog', (): { timer?: NodeJS.Timeout } => ({}));

/**
 * Looks for jobs whose runs are gone, for as long as the server runs. It doesn't use the job service, which may be
 * what has lost them. On serverless hosts, where nothing runs between requests, the sweep looks instead.
 */
export function startWatchdog(): void {
  clearInterval(polling.timer);
  let looking = false;
  let failing = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      await resumeGoneJobs();
      failing = false;
    } catch (error) {
      // A database that is away for long is one line, not one every 20 seconds.
      if (!failing) log.warn({ err: error }, 'jobs: the search for runs that are gone failed');
      failing = true;
    } finally {
      looking = false;
    }
  };
  polling.timer = setInterval(() => void look(), POLL_MS).unref();
}
