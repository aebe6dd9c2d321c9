import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { log } from '@/lib/foundation/log';
import { reportEventRun, reportJobRun } from '@/lib/video/processing/process-reports';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { jobSettings } from './jobs';
import { readMediaTool } from './media';
import { checkHealth } from './service';

const asked: string[] = [];
let status = 200;
/** Whether the job service accepts calls and says nothing. */
let hangs = false;
/** Answers for storage and for the job service, and counts. */
let services: Server;
let takeDown: () => Promise<void>;

beforeAll(async () => {
  services = createServer((request, response) => {
    asked.push(request.url?.startsWith('/jobs/e/') ? 'events' : 'storage');
    if (request.url?.startsWith('/jobs/v1/')) asked[asked.length - 1] = 'functions';
    if (!(hangs && request.url?.startsWith('/jobs/'))) response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(services, 'listening');
  const url = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  takeDown = await useFreshDatabase({
    onQuery: (query) => {
      if (query.includes('__drizzle_migrations')) asked.push('database');
    },
    settings: { S3_ENDPOINT: url, S3_FORCE_PATH_STYLE: '1', INNGEST_BASE_URL: `${url}/jobs` },
  });
  await reportJobRun();
  await reportEventRun(jobSettings());
  // Found once, which may take longer than a check waits on a busy machine.
  await readMediaTool();
});
afterAll(async () => {
  await takeDown();
  services.closeAllConnections();
  services.close();
});
beforeEach(() => asked.splice(0));

const ALL_OK = { status: 'ok', checks: { database: 'ok', storage: 'ok', jobs: 'ok' } };

it('asks each service once for 100 callers at a time', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => checkHealth()));
  expect(answers).toEqual(Array(100).fill(ALL_OK));
  // Storage is written to, and the object is deleted.
  expect(asked.sort()).toEqual(['database', 'events', 'functions', 'storage', 'storage']);
});

it('logs who didn’t answer', async () => {
  const logged = vi.spyOn(log, 'error');
  const told = () => logged.mock.calls.map(([, text]) => text);
  const recovered = vi.spyOn(log, 'info');
  const recoveries = () =>
    recovered.mock.calls.map(([, text]) => text).filter((text) => text?.startsWith('health: jobs'));
  hangs = true;
  await vi.waitFor(
    async () => {
      expect((await checkHealth()).checks.jobs).toBe('failed');
      expect(told()).toContainEqual(
        expect.stringMatching(/Inngest isn’t responding at http.*INNGEST_BASE_URL/),
      );
    },
    { timeout: 30_000 },
  );
  expect(recoveries()).toEqual([]);
  hangs = false;
  await waitUntil(async () => (await checkHealth()).checks.jobs === 'ok', 30_000);
  expect(recoveries()).toEqual(['health: jobs is working again']);
});

it('asks again once the answer is a second old', async () => {
  status = 403;
  await waitUntil(async () => (await checkHealth()).status === 'failed', 30_000);
  expect((await checkHealth()).checks).toEqual({ database: 'ok', storage: 'failed', jobs: 'failed' });
  expect(asked.filter((service) => service === 'database').length).toBeLessThan(5);
});
