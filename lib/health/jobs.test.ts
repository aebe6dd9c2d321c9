import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { reportJobRun } from '@/lib/processing/process-reports';
import { useFreshDatabase } from '@/test/app-database';
import { startJobService } from '@/test/job-service';
import { findJobsProblems } from './jobs';

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
  });
  await db().delete(processReports);
});

const find = () => findJobsProblems({ timeoutMs: 20_000 });

it('finds nothing wrong once a job has run', async () => {
  await reportJobRun();
  expect(await find()).toEqual([]);
  expect(service.paths.sort()).toEqual(['/e/key', '/v1/apps/daylight/functions']);
  expect(service.events).toEqual([]);
});

it('sends an event until a job has run, and again when none has for minutes', async () => {
  expect(await find()).toEqual([expect.stringContaining('hasn’t run any')]);
  expect(service.events).toEqual(['health/ping']);
  await reportJobRun();
  expect(await find()).toEqual([]);
  await db().update(processReports).set({ reportedAt: sql`now() - interval '4 minutes'` });
  expect(await find()).toEqual([expect.stringContaining('hasn’t run any')]);
});

it('sends the next event itself when the sweep has missed one', async () => {
  await reportJobRun();
  await db().update(processReports).set({ reportedAt: sql`now() - interval '140 seconds'` });
  const sent = async () => {
    expect(await find()).toEqual([]);
    return service.events;
  };
  await expect.poll(sent, { timeout: 60_000 }).toEqual(['health/ping']);
});

describe('although a job has just run', () => {
  beforeEach(() => reportJobRun());

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
