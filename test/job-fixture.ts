import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { finishVideo } from '@/inngest/functions/finish-video';
import { processVideo } from '@/inngest/functions/process-video';
import { purgeEntryObjects } from '@/inngest/functions/purge-objects';
import { sweep } from '@/inngest/functions/sweep';
import { transcribe } from '@/inngest/functions/transcribe';
import { EVENT_KEY, SIGNING_KEY, startRunnerFixture, waitUntil } from '@/local/inngest/test-runner';
import { startLocalServices } from './services';
import { startStorageProxy } from './storage-proxy';

const MINUTE_MS = 60_000;
/** For what never comes, and no measure of speed. */
const TIMEOUT_MS = 150_000;

/**
 * Everything an entry's jobs need, and the jobs themselves with something that runs them: what is sent from the outbox
 * arrives there. Files of the jobs are in a folder of the test's own. Call it before anything reads the settings.
 */
export async function startJobFixture() {
  const services = await startLocalServices();
  const proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  const temporary = services.folder('tmp');
  await mkdir(temporary);
  const stage = await startRunnerFixture(services.databaseUrl, (client) => [
    processVideo(client),
    finishVideo(client),
    transcribe(client),
    purgeEntryObjects(client),
    sweep(client),
  ]);
  Object.assign(process.env, {
    S3_ENDPOINT: proxy.url,
    TMPDIR: temporary,
    INNGEST_BASE_URL: stage.runner?.url,
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
  });
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
    /** Puts the clock forward again and again while something is waited for, over the pauses between attempts. */
    async hurry<T>(work: Promise<T>): Promise<T> {
      const timer = setInterval(() => stage.advance(5 * MINUTE_MS), 1000);
      return work.finally(() => clearInterval(timer));
    },
    countOf: async (name: string) => (await runsOf(name)).length,
    /** Whether the run that follows so many others of a function was canceled. */
    canceled: async (name: string, before: number) => (await runsOf(name))[before]?.status === 'cancelled',
    /** Puts the clock forward by a minute and waits for the end of the sweep that is then due, and of what it starts. */
    async sweep() {
      const before = (await runsOf('sweep')).length;
      stage.advance(MINUTE_MS);
      await waitUntil('a sweep', async () => (await runsOf('sweep'))[before]?.ended, TIMEOUT_MS);
      const purged = async () => (await runsOf('purge-objects')).every(({ ended }) => ended);
      await waitUntil('the purges', purged, TIMEOUT_MS);
    },
    /** The jobs' files on this machine. */
    files: () => readdir(path.join(temporary, 'daylight-work')).catch(() => [] as string[]),
    async end() {
      await stage.close();
      await proxy.close();
      await services.end();
    },
  };
}
