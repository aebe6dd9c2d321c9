import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { registerJobs } from '@/inngest/register';
import { readMediaTool } from '@/lib/operations/health/media';
import { checkHealth } from '@/lib/operations/health/service';
import { type Runner, startRunner } from '@/local/inngest/server';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { GET, POST, PUT } from './route';

const SIGNING_KEY = `signkey-test-${randomBytes(32).toString('hex')}`;

let app: Server;
let runner: Runner;
let tearDown: () => Promise<void>;
let runnerPort: number;

const start = () =>
  startRunner({
    databaseUrl: String(process.env['DATABASE_URL']),
    eventKey: 'key',
    signingKey: SIGNING_KEY,
    port: runnerPort,
  });

/** Serves the route as Next does. */
function startApp(port: number): Server {
  return createServer(async (request, response) => {
    const method = request.method as 'GET' | 'POST' | 'PUT';
    const body = await buffer(request);
    const call = new Request(`http://127.0.0.1:${port}${request.url}`, {
      method,
      headers: request.headers as Record<string, string>,
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
    const answer: Response = await { GET, POST, PUT }[method](call as never, undefined as never);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(port, '127.0.0.1');
}

beforeAll(async () => {
  const appPort = await freePort();
  runnerPort = await freePort();
  tearDown = await useFreshDatabase({
    settings: {
      FFMPEG_SANDBOX: 'off',
      INNGEST_BASE_URL: `http://127.0.0.1:${runnerPort}`,
      INNGEST_SERVE_ORIGIN: `http://127.0.0.1:${appPort}`,
      INNGEST_EVENT_KEY: 'key',
      INNGEST_SIGNING_KEY: SIGNING_KEY,
    },
  });
  app = startApp(appPort);
  await once(app, 'listening');
  await readMediaTool();
  registerJobs({ watchMs: 100 });
});
afterAll(async () => {
  await runner.close();
  app.closeAllConnections();
  app.close();
  await tearDown();
});

const jobs = async () => (await checkHealth()).checks.jobs;
const becomes = (outcome: string) => waitUntil(async () => (await jobs()) === outcome, 120_000);

it('says that jobs run once the job service has run one, and not while it’s away', async () => {
  expect(await jobs()).toBe('failed');
  runner = await start();
  expect(await becomes('ok')).toBe(true);
  await runner.close();
  expect(await becomes('failed')).toBe(true);
});

it('registers again with a job service that has forgotten the app', async () => {
  await db().delete(processReports);
  runner = await start();
  expect(await becomes('ok')).toBe(true);
});
