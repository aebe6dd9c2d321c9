import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { GET as health } from '@/app/api/health/route';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { rawRoute } from '@/lib/api/endpoint';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { forgetRegistration } from '@/lib/video/processing/registration';
import { type Runner, startRunner } from '@/local/inngest/server';
import { freePort } from '@/local/up/ports';
import { middleware } from '@/middleware';
import { useFreshDatabase } from '@/test/app-database';
import { PUT } from './route';

const SIGNING_KEY = `signkey-test-${randomBytes(32).toString('hex')}`;
const HOST = 'journal.test';

let app: Server;
let runner: Runner;
let tearDown: () => Promise<void>;
/** Every address that the runner was told to send jobs to, once for each in a row. */
const registered: unknown[] = [];
/** How often the function that runs jobs was asked to register, and what it answers instead. */
let asked = 0;
let failure: number | undefined;
/** What the host was asked to wait for before it freezes the process. */
let waits: Promise<unknown>[] = [];

beforeAll(async () => {
  const [appPort, port] = [await freePort(), await freePort()];
  tearDown = await useFreshDatabase({
    site: `https://${HOST}`,
    settings: {
      SERVERLESS: '1',
      INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
      INNGEST_SERVE_ORIGIN: `http://127.0.0.1:${appPort}`,
      INNGEST_EVENT_KEY: 'key',
      INNGEST_SIGNING_KEY: SIGNING_KEY,
    },
  });
  const waitUntil = (work: Promise<unknown>) => void waits.push(work);
  Object.assign(globalThis, { [Symbol.for('@next/request-context')]: { get: () => ({ waitUntil }) } });
  runner = await startRunner({
    databaseUrl: String(process.env['DATABASE_URL']),
    eventKey: 'key',
    signingKey: SIGNING_KEY,
    port,
    log: ({ url }) => url && registered.push(url),
  });
  app = createServer(async ({ url, method, headers }, response) => {
    if (method !== 'PUT') return void response.end();
    // The runner, too, asks for the functions from time to time, in its own way.
    if (headers['x-inngest-sync-kind'] === undefined) asked += 1;
    if (failure) return void response.writeHead(failure).end();
    const call = new Request(`http://127.0.0.1:${appPort}${url}`, { method, headers: headers as never });
    const answer: Response = await PUT(call as never, undefined as never);
    response.writeHead(answer.status).end(await answer.text());
  }).listen(appPort, '127.0.0.1');
  await once(app, 'listening');
});
afterAll(async () => {
  Reflect.deleteProperty(globalThis, Symbol.for('@next/request-context'));
  await runner.close();
  app.closeAllConnections();
  app.close();
  await tearDown();
});

/** Makes this process one that has just started. */
const restart = () => Object.assign(perProcess('registration', Object), { at: 0 });
beforeEach(async () => {
  restart();
  await db().delete(processReports);
  process.env.BUILD_STAMP = 'one';
  [asked, failure, waits] = [0, undefined, []];
});

const headersFor = (host: string) => ({ host, 'x-forwarded-host': host });
const route = rawRoute(async () => Response.json({}));
const request = async (host = HOST) => {
  await route(new NextRequest(`https://${host}/api/v1/plans`, { headers: headersFor(host) }), {});
  await Promise.all(waits);
};
const aMinuteLater = () =>
  db()
    .update(processReports)
    .set({ reportedAt: sql`${processReports.reportedAt} - interval '61 seconds'` });

it('is done by a request, once for all processes of a deployment', async () => {
  await request();
  expect([asked, registered]).toEqual([
    1,
    [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/inngest$/)],
  ]);
  restart();
  await request();
  await aMinuteLater();
  restart();
  await request();
  expect(asked).toBe(1);
});

it('is done by one of many processes that start at once', async () => {
  const starts = Array.from({ length: 10 }, () => {
    restart();
    return request();
  });
  await Promise.all(starts);
  expect(asked).toBe(1);
});

it.each([
  ['a page', () => middleware(new NextRequest(`https://${HOST}/login`, { headers: headersFor(HOST) }))],
  ['a health check', () => health(new Request(`https://${HOST}/api/health`, { headers: headersFor(HOST) }))],
])('is done by a request for %s, too', async (_, ask) => {
  await ask();
  await Promise.all(waits);
  expect(asked).toBe(1);
});

it('isn’t done by a request for another host, such as a preview’s', async () => {
  await request('daylight-preview.test');
  expect([asked, await db().select().from(processReports)]).toEqual([0, []]);
});

it('is done again for another deployment, but not within a minute', async () => {
  await request();
  process.env.BUILD_STAMP = 'two';
  restart();
  await request();
  expect(asked).toBe(1);
  await aMinuteLater();
  restart();
  await request();
  expect(asked).toBe(2);
});

it('is left to a process’s later requests while another one’s try hasn’t worked', async () => {
  failure = 502;
  await request();
  restart();
  await request();
  expect(asked).toBe(1);
  expect(perProcess('registration', Object)).toMatchObject({
    at: expect.closeTo(performance.now() + 60_000, -5),
  });
});

it('is tried again after a minute if it failed, or if the job service doesn’t know the app', async () => {
  failure = 502;
  await request();
  await request();
  restart();
  await request();
  expect(asked).toBe(1);
  failure = undefined;
  await aMinuteLater();
  restart();
  await request();
  expect(asked).toBe(2);
  await forgetRegistration();
  await aMinuteLater();
  restart();
  await request();
  expect(asked).toBe(3);
});
