import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { registerJobs } from '@/inngest/register';
import { sign } from '@/lib/foundation/job-signature';
import { findJobsProblems, jobSettings } from '@/lib/operations/health/jobs';
import { reportEventRun, reportJobRun, reportWorker } from '@/lib/video/processing/process-reports';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { startJobService } from '@/test/job-service';
import { GET, POST, PUT } from './route';

const SIGNING_KEY = 'signkey-test-ab';
const FFMPEG = 'ffmpeg 7.1';

let service: Awaited<ReturnType<typeof startJobService>>;
let tearDown: () => Promise<void>;

beforeAll(async () => {
  service = await startJobService();
  service.app = 'daylight-worker';
  const settings = { JOBS: 'worker', INNGEST_BASE_URL: service.url, INNGEST_SIGNING_KEY: SIGNING_KEY };
  tearDown = await useFreshDatabase({ settings });
});
afterAll(async () => {
  await tearDown();
  service.close();
});
beforeEach(async () => {
  await db().delete(processReports);
  await reportJobRun();
  await reportEventRun(jobSettings());
});

const find = () => findJobsProblems({ timeoutMs: 20_000 });
const age = (interval: string) =>
  db()
    .update(processReports)
    .set({ reportedAt: sql`now() - ${interval}::interval` })
    .where(sql`${processReports.role} = 'worker'`);

it('serves no functions and registers none', async () => {
  registerJobs();
  const headers = { 'x-inngest-signature': sign(Buffer.from(''), SIGNING_KEY) };
  for (const [method, handler] of Object.entries({ GET, POST, PUT })) {
    const request = new Request('http://localhost:3000/api/inngest', { method, headers });
    const answer = await handler(request as never, undefined as never);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
  }
  await find();
  expect(service.paths.filter((path) => path.startsWith('/fn/'))).toEqual([]);
  expect(service.paths).toContain('/v1/apps/daylight-worker/functions');
});

it('needs a worker that has reported lately', async () => {
  expect(await find()).toEqual([expect.stringContaining('No worker has reported')]);
  await reportWorker('one', { ffmpeg: FFMPEG, isConnected: true, problem: null, version: '1' });
  expect(await find()).toEqual([]);
  await age('3 minutes');
  expect(await find()).toEqual([expect.stringContaining('No worker has reported')]);
});

it('waits for a worker that’s about to connect', async () => {
  service.paths = [];
  await reportWorker('one', { ffmpeg: FFMPEG, isConnected: false, problem: null, version: '1' });
  const found = findJobsProblems({ timeoutMs: 20_000, waitMs: 60_000 });
  await waitUntil(() => service.paths.filter((path) => path.startsWith('/v1/')).length > 1, 60_000);
  await reportWorker('one', { ffmpeg: FFMPEG, isConnected: true, problem: null, version: '1' });
  expect(await found).toEqual([]);
});

it('says what one of several workers is missing', async () => {
  await reportWorker('one', { ffmpeg: FFMPEG, isConnected: true, problem: null, version: '1' });
  await reportWorker('two', { ffmpeg: null, isConnected: true, problem: 'It has no ffmpeg.', version: '1' });
  expect(await find()).toEqual(['A worker reports: It has no ffmpeg.']);
});

it('needs one worker to be connected, and not every one', async () => {
  const starting = { ffmpeg: FFMPEG, isConnected: false, problem: null, version: '1' };
  await reportWorker('one', starting);
  expect(await find()).toEqual([expect.stringContaining('connected to Inngest')]);
  await reportWorker('two', { ...starting, isConnected: true });
  expect(await find()).toEqual([]);
});

it('deletes the reports of workers that ended long ago', async () => {
  await reportWorker('old', { ffmpeg: FFMPEG, isConnected: true, problem: null, version: '1' });
  await age('2 days');
  await reportWorker('new', { ffmpeg: FFMPEG, isConnected: true, problem: null, version: '1' });
  const rows = await db()
    .select({ id: processReports.id })
    .from(processReports)
    .where(sql`${processReports.role} = 'worker'`);
  expect(rows.map(({ id }) => id)).toEqual(['new']);
});
