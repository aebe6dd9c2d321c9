import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { deleteExportFiles, purgeEntryObjects } from '@/inngest/functions/deletion';
import { makePreviews, processVideo, transcribe } from '@/inngest/functions/entry';
import { prepareExport } from '@/inngest/functions/export';
import { recordPing, sweep } from '@/inngest/functions/sweep';
import { learnWords } from '@/inngest/functions/vocabulary';
import { EVENT_KEY, SIGNING_KEY, startRunnerFixture, waitUntil } from '@/local/inngest/test-runner';
import { startLocalServices } from './services';
import { startStorageProxy } from './storage-proxy';

const SWEEP_MS = 120_000;
/** Ends a test that hangs. It says nothing about speed. */
const TIMEOUT_MS = 150_000;

/**
 * Starts everything an entry's jobs need, and a runner that the outbox delivers to. The jobs' files go to a folder of
 * the test's own. Call it before anything reads the settings.
 */
export async function startJobFixture() {
  const services = await startLocalServices();
  const proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  const temporary = services.folder('tmp');
  await mkdir(temporary);
  const stage = await startRunnerFixture(
    services.databaseUrl,
    (client) => [
      processVideo(client),
      makePreviews(client),
      transcribe(client),
      learnWords(client),
      purgeEntryObjects(client),
      prepareExport(client),
      deleteExportFiles(client),
      sweep(client),
      recordPing(client),
    ],
    { timeScale: 0.02 },
  );
  Object.assign(process.env, {
    S3_ENDPOINT: proxy.url,
    TMPDIR: temporary,
    INNGEST_BASE_URL: stage.runner?.url,
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
  });
  const sql = postgres(services.databaseUrl, { max: 1, onnotice: () => undefined });
  let offset = 0;
  const advance = (ms: number) => {
    offset += ms;
    stage.advance(ms);
  };
  /** Moves the clock to the next retry or the end of the next sleep, unless something runs or is due. */
  const skipPause = async () => {
    const [queue] = await sql<{ busy: number; next: number | null }[]>`
      select count(lease)::int as busy, min(available_at) as next from ${sql(stage.schema)}.queue`;
    const pause = (queue?.next ?? 0) - Date.now() - offset;
    if (queue?.busy === 0 && pause > 0) advance(pause + 1);
  };
  const runsOf = async (name: string) =>
    (await stage.runs()).filter((run) => run.function.endsWith(name)).reverse();
  const seen = new Map<string, number>();
  return {
    proxy,
    /** Waits for the end of a function's next run. */
    async endOf(name: string) {
      const index = seen.get(name) ?? 0;
      seen.set(name, index + 1);
      const ended = async () => {
        const run = (await runsOf(name))[index];
        return run?.ended ? run : undefined;
      };
      return waitUntil(`the end of ${name}`, ended, TIMEOUT_MS);
    },
    /** Skips the pauses between attempts, and sleeps, until something has settled. */
    async hurry<T>(work: Promise<T>): Promise<T> {
      let isSettled = false;
      const settled = work.finally(() => {
        isSettled = true;
      });
      while (!isSettled) {
        await skipPause();
        await Promise.race([settled.catch(() => undefined), delay(50)]);
      }
      return settled;
    },
    countOf: async (name: string) => (await runsOf(name)).length,
    /** Whether the run that follows so many others of a function has ended. */
    hasEnded: async (name: string, before: number) => Boolean((await runsOf(name))[before]?.ended),
    /** Moves the clock to the next sweep, then waits for it and for the purges it starts. */
    async sweep() {
      // A sweep skips what an earlier one is still doing, such as sending what's due.
      const areIdle = async () => (await runsOf('sweep')).every(({ ended }) => ended);
      await waitUntil('earlier sweeps', areIdle, TIMEOUT_MS);
      const before = (await runsOf('sweep')).length;
      advance(SWEEP_MS);
      await waitUntil('a sweep', async () => (await runsOf('sweep'))[before]?.ended, TIMEOUT_MS);
      const purged = async () => {
        // An event is stored first. The runs that it starts come later.
        const [waiting] = await sql`select from ${sql(stage.schema)}.events where not routed limit 1`;
        return !waiting && (await runsOf('purge-objects')).every(({ ended }) => ended);
      };
      await waitUntil('the purges', purged, TIMEOUT_MS);
    },
    /** The jobs' files on this machine. */
    files: () => readdir(path.join(temporary, 'daylight-work')).catch(() => [] as string[]),
    async end() {
      await sql.end();
      await stage.close();
      await proxy.close();
      await services.end();
    },
  };
}
