import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { checkHealth } from './service';

const asked: string[] = [];
let status = 200;
/** Answers for storage and for the job service, and counts. */
let services: Server;
let takeDown: () => Promise<void>;

beforeAll(async () => {
  services = createServer((request, response) => {
    asked.push(request.url?.startsWith('/jobs') ? 'jobs' : 'storage');
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(services, 'listening');
  const url = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  takeDown = await useFreshDatabase({
    onQuery: (query) => {
      if (query === 'select 1') asked.push('database');
    },
    settings: { S3_ENDPOINT: url, S3_FORCE_PATH_STYLE: '1', INNGEST_BASE_URL: `${url}/jobs` },
  });
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
  expect(asked.sort()).toEqual(['database', 'jobs', 'storage', 'storage']);
});

it('asks again once the answer is a second old', async () => {
  status = 403;
  await waitUntil(async () => (await checkHealth()).status === 'failed', 30_000);
  expect((await checkHealth()).checks).toMatchObject({ database: 'ok', storage: 'failed' });
  expect(asked.filter((service) => service === 'database').length).toBeLessThan(5);
});
