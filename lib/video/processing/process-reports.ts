import { and, desc, eq, gt, like, lt, or, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import type { FfmpegSpeed } from '@/lib/video/media/rendition-plan';

/** What a worker last said about itself. */
export interface WorkerReport {
  /** Names its ffmpeg; null without one. */
  ffmpeg: string | null;
  /** Whether Inngest gives it steps to run. */
  isConnected: boolean;
  /** Why steps would fail there, in a sentence; null if they wouldn't. */
  problem: string | null;
  /** What its ffmpeg's sandbox lacks, in a sentence; null if it's complete. Workers of earlier versions don't say. */
  exposure?: string | null;
  version: string;
}

/** How long a worker's report counts, in seconds. Workers report every 30 s. */
const WORKER_ALIVE_SECONDS = 120;
/** When a worker's report is deleted, and what a function has measured is measured again, in seconds. */
const KEPT_SECONDS = 86_400;

const JOBS_ID = 'jobs';
const MEDIA_ID = 'media';

/** What functions prepare videos with: others have no ffmpeg and can't measure it. */
export interface MediaReport extends FfmpegSpeed {
  /** Names it, as `FfmpegTool.describe`. */
  ffmpeg: string;
}

const secondsAgo = (seconds: number) => sql`now() - ${seconds} * interval '1 second'`;

async function writeReport(row: typeof processReports.$inferInsert): Promise<void> {
  const { id, ...values } = { ...row, reportedAt: sql`now()` };
  await db()
    .insert(processReports)
    .values({ id, ...values })
    .onConflictDoUpdate({ target: processReports.id, set: values });
}

/** Records what a worker says about itself, and deletes the reports of workers that ended long ago. */
export async function reportWorker(id: string, report: WorkerReport): Promise<void> {
  await writeReport({ id, role: 'worker', details: { ...report } });
  await db()
    .delete(processReports)
    .where(and(eq(processReports.role, 'worker'), lt(processReports.reportedAt, secondsAgo(KEPT_SECONDS))));
}

/** Deletes the report of a worker that's about to end. */
export async function deleteReport(id: string): Promise<void> {
  await db().delete(processReports).where(eq(processReports.id, id));
}

/** Returns what the running workers last reported. */
export async function readLiveWorkers(): Promise<WorkerReport[]> {
  const rows = await db()
    .select({ details: processReports.details })
    .from(processReports)
    .where(
      and(eq(processReports.role, 'worker'), gt(processReports.reportedAt, secondsAgo(WORKER_ALIVE_SECONDS))),
    );
  return rows.map(({ details }) => details as unknown as WorkerReport);
}

/**
 * Records that the job service has just started a run.
 * @param mediaProblem why videos can't be prepared where it ran, in a sentence; null if they can
 */
export function reportJobRun(mediaProblem: string | null = null): Promise<void> {
  return writeReport({ id: JOBS_ID, role: 'jobs', details: { mediaProblem, eventsApart: true } });
}

/** Names the report about events that were sent with these settings. */
const eventId = (settings: string) => `event ${settings}`;

/**
 * Records that an event has just started a run. Deletes the reports about settings that no process has had for long.
 * @param settings a hash of those that the event was sent with
 */
export async function reportEventRun(settings: string): Promise<void> {
  await writeReport({ id: eventId(settings), role: 'jobs', details: {} });
  await db()
    .delete(processReports)
    .where(
      and(like(processReports.id, eventId('%')), lt(processReports.reportedAt, secondsAgo(KEPT_SECONDS))),
    );
}

const lastRun = () => eq(processReports.id, JOBS_ID);

/**
 * What a version before this one has reported, which may run beside it for the time of a release: only runs that an
 * event had started, and not with which settings.
 */
const earlierEventRun = () => and(lastRun(), sql`not ${processReports.details} ? 'eventsApart'`);

async function secondsSince(report: SQL | undefined): Promise<number | null> {
  const [row] = await db()
    .select({ seconds: sql<number>`extract(epoch from now() - ${processReports.reportedAt})::float8` })
    .from(processReports)
    .where(report)
    .orderBy(desc(processReports.reportedAt))
    .limit(1);
  return row?.seconds ?? null;
}

/** Returns how many seconds ago the job service last started a run; null if it never has. */
export const secondsSinceJobRun = (): Promise<number | null> => secondsSince(lastRun());

/** Returns how many seconds ago an event that was sent with these settings last started a run; null if none has. */
export const secondsSinceEventRun = (settings: string): Promise<number | null> =>
  secondsSince(or(eq(processReports.id, eventId(settings)), earlierEventRun()));

/** Returns why the last run couldn't have prepared a video; null if it could, or none has run. */
export async function lastMediaProblem(): Promise<string | null> {
  const [row] = await db().select({ details: processReports.details }).from(processReports).where(lastRun());
  const problem = row?.details['mediaProblem'];
  return typeof problem === 'string' ? problem : null;
}

/** Records the ffmpeg of the functions that run jobs, and how fast it is there. */
export function reportMedia(report: MediaReport): Promise<void> {
  return writeReport({ id: MEDIA_ID, role: 'jobs', details: { ...report } });
}

/** Returns what a function has last reported, and whether that was within a day; null if none has. */
export async function readMediaReport(): Promise<(MediaReport & { isRecent: boolean }) | null> {
  const isRecent = sql<boolean>`${processReports.reportedAt} > ${secondsAgo(KEPT_SECONDS)}`;
  const [row] = await db()
    .select({ details: processReports.details, isRecent })
    .from(processReports)
    .where(eq(processReports.id, MEDIA_ID));
  return row ? { ...(row.details as unknown as MediaReport), isRecent: row.isRecent } : null;
}
