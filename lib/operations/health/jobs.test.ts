import { like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { reportEventRun, reportJobRun } from '@/lib/video/processing/process-reports';
import { useFreshDatabase } from '@/test/app-database';
import { startJobService } from '@/test/job-service';
import { findJobsProblems, jobSettings, renewEventProof } from './jobs';

let service: Awaited<ReturnType<typeof startJobService>>;
let tearDown: () => Promise<void>;

beforeAll(async () => {
  service = await startJobService();
  // Without any other setting of Inngest's.
  const settings = { INNGEST_DEV: service.url, INNGEST_BASE_URL: '', INNGEST_EVENT_KEY: 'key' };
  tearDown = await useFreshDatabase({ settings: { ...settings, INNGEST_SIGNING_KEY: 'signkey-test-ab' } });
});
afterAll(async () => {
  await tearDown();
  service.close();
});
beforeEach(async () => {
  Object.assign(service, {
    status: { events: 200, apps: 200 },
    app: 'daylight',
    events: [],
    paths: [],
    runsPings: false,
  });
  await db().delete(processReports);
});

const find = () => findJobsProblems({ timeoutMs: 20_000 });

/** Jobs have just run, by the clock and after an event of this process. */
async function reportRuns(): Promise<void> {
  await reportJobRun();
  await reportEventRun(jobSettings());
}

/** Makes the last run older; of those that an event started if it's said so. */
const age = (interval: string, kind: 'jobs' | 'event') =>
  db()
    .update(processReports)
    .set({ reportedAt: sql`now() - ${interval}::interval` })
    .where(like(processReports.id, `${kind}%`));

it('finds nothing wrong once a job has run', async () => {
  await reportRuns();
  expect(await find()).toEqual([]);
  expect(service.paths.sort()).toEqual(['/e/key', '/v1/apps/daylight/functions']);
  expect(service.events).toEqual([]);
});

it('sends an event until a job has run, and again when none has for minutes', async () => {
  expect(await find()).toEqual([expect.stringContaining('hasn’t run any')]);
  expect(service.events).toEqual(['health/ping']);
  await reportRuns();
  expect(await find()).toEqual([]);
  await age('4 minutes', 'jobs');
  expect(await find()).toEqual([expect.stringContaining('hasn’t run any')]);
});

it('isn’t content with runs of the clock, which prove nothing about the event key', async () => {
  await reportJobRun();
  await reportEventRun('other settings');
  expect(await find()).toEqual([expect.stringMatching(/last one hasn’t started a job.*same environment/)]);
  await reportEventRun(jobSettings());
  expect(await find()).toEqual([]);
  await age('41 minutes', 'event');
  expect(await find()).toEqual([expect.stringContaining('last one hasn’t started a job')]);
});

it.each([
  ['jobs', '140 seconds'],
  ['event', '36 minutes'],
] as const)('sends the next event itself when the sweep has missed one (%s)', async (kind, interval) => {
  await reportRuns();
  await age(interval, kind);
  const sent = async () => {
    expect(await find()).toEqual([]);
    return service.events;
  };
  await expect.poll(sent, { timeout: 60_000 }).toEqual(['health/ping']);
});

it('tries an event at once if asked to, whatever has been proved before', async () => {
  await reportRuns();
  const tried = () => findJobsProblems({ timeoutMs: 20_000, waitMs: 5_000, triesEvent: true });
  expect(await tried()).toEqual([expect.stringContaining('last one hasn’t started a job')]);
  service.runsPings = true;
  expect(await tried()).toEqual([]);
});

it('renews the proof twice an hour, and at once for other settings', async () => {
  await renewEventProof();
  expect(service.events).toEqual(['health/ping']);
  await reportEventRun(jobSettings());
  await renewEventProof();
  await age('29 minutes', 'event');
  await renewEventProof();
  expect(service.events).toHaveLength(1);
  await age('31 minutes', 'event');
  await renewEventProof();
  expect(service.events).toHaveLength(2);
});

it('believes a version before this one, which runs the jobs while a release goes on', async () => {
  await db()
    .insert(processReports)
    .values({ id: 'jobs', role: 'jobs', details: { mediaProblem: null } });
  expect(await find()).toEqual([]);
});

it('believes the newer of two proofs, of which one is from a version before this one', async () => {
  await reportEventRun(jobSettings());
  await age('41 minutes', 'event');
  await db()
    .insert(processReports)
    .values({ id: 'jobs', role: 'jobs', details: { mediaProblem: null } });
  expect(await find()).toEqual([]);
});

it('keeps no proof about settings that no process has had for a day', async () => {
  await reportEventRun('of yesterday');
  await age('25 hours', 'event');
  await reportEventRun(jobSettings());
  expect(await db().$count(processReports)).toBe(1);
});

describe('although a job has just run', () => {
  beforeEach(() => reportRuns());

  it.each([401, 403])('names an event key that’s refused with %i', async (status) => {
    service.status.events = status;
    expect(await find()).toEqual([expect.stringContaining('rejected INNGEST_EVENT_KEY')]);
  });

  it('names a signing key that’s refused', async () => {
    service.status.apps = 401;
    expect(await find()).toEqual([expect.stringContaining('rejected INNGEST_SIGNING_KEY')]);
  });

  it('says that the app isn’t synced', async () => {
    service.app = 'another';
    expect(await find()).toEqual([expect.stringContaining('isn’t registered')]);
  });

  it.each([404, 502])('says that a server answers with %i instead of taking events', async (status) => {
    service.status.events = status;
    expect(await find()).toEqual([expect.stringContaining(`responded with status ${status}`)]);
  });

  it('names the setting of a server that doesn’t answer', async () => {
    service.close();
    expect(await find()).toEqual([expect.stringMatching(/isn’t responding at http.*INNGEST_DEV/)]);
  });
});
