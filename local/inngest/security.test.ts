import { once } from 'node:events';
import { createServer, get, request } from 'node:http';
import { NonRetriableError } from 'inngest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { headers, sign } from './protocol';
import { type Runner, startRunner } from './server';
import {
  createInngestClient,
  EVENT_KEY,
  externalBaseUrl,
  type Functions,
  SIGNING_KEY,
  startTestApp,
  type TestApp,
  waitUntil,
} from './test-runner';

const OTHER_KEY = `signkey-test-${'fedcba9876543210'.repeat(4)}`;

let database: TestDatabase;
let runner: Runner;
let app: TestApp;
let target = '';
const seen: unknown[] = [];

const functions: Functions = (client) => [
  client.createFunction(
    { id: 'note', retries: 20, triggers: [{ event: 'test/note' }] },
    async ({ event }) => {
      seen.push(event.data['n']);
      if (event.data['fail']) throw new NonRetriableError('<script>alert(1)</script>');
    },
  ),
];

beforeAll(async () => {
  database = await createTestDatabase();
  runner = await startRunner({
    databaseUrl: database.url,
    appUrl: () => target,
    eventKey: EVENT_KEY,
    signingKey: SIGNING_KEY,
    timeScale: 0.05,
  });
  app = await startTestApp(runner.url, functions);
  target = app.url;
  await runner.sync();
});
afterAll(async () => {
  await runner?.close();
  await app?.close();
  await database?.drop();
});

function execution(n: number): string {
  const event = { data: { n }, name: 'test/note', ts: 1 };
  const ctx = { attempt: 0, run_id: 'r', stack: { current: 0, stack: [] } };
  return JSON.stringify({ ctx, event, events: [event], steps: {}, version: 2 });
}

async function post(body: string, signature: string | undefined): Promise<number> {
  const response = await fetch(`${app.url}?fnId=testing-note&stepId=step`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...(signature ? { [headers.signature]: signature } : {}) },
  });
  return response.status;
}

describe.skipIf(externalBaseUrl)('the app', () => {
  it('runs only what the runner signed', async () => {
    const body = execution(1);
    const signature = sign(body, SIGNING_KEY);
    expect(await post(body, signature)).toBe(200);
    expect(await post(body, undefined)).toBe(401);
    expect(await post(body, sign(body, OTHER_KEY))).toBe(401);
    expect(await post(execution(2), signature)).toBe(401);
    const old = Math.round(Date.now() / 1000) - 3600;
    expect(await post(body, signature.replace(/t=\d+/, `t=${old}`))).toBe(401);
    expect(seen).toEqual([1]);
  });
});

describe.skipIf(externalBaseUrl)('the runner', () => {
  it('accepts events only with the right key', async () => {
    const stranger = createInngestClient(runner.url, { eventKey: 'wrong' });
    await expect(stranger.send({ name: 'test/note', data: { n: 3 } })).rejects.toThrow('401');
    const response = await fetch(`${runner.url}/e/wrong`, { method: 'POST', body: '{"name":"test/note"}' });
    expect(response.status).toBe(401);
  });

  it.each([
    ['invalid JSON', '{', 400],
    ['no name', '{"data":{}}', 400],
    ['a reserved name', '{"name":"inngest/function.failed","data":{}}', 400],
    ['a name with NUL', '{"name":"a\\u0000b"}', 400],
    ['data that isn’t an object', '{"name":"a","data":[1]}', 400],
    ['no events', '[]', 400],
    ['a body that’s too large', `{"name":"a","data":{"x":"${'x'.repeat(11_000_000)}"}}`, 413],
  ])('rejects %s', async (_, body, status) => {
    const response = await fetch(`${runner.url}/e/${EVENT_KEY}`, { method: 'POST', body });
    expect(response.status).toBe(status);
  });

  it('lets only the app register functions', async () => {
    const body = JSON.stringify({ functions: [] });
    for (const authorization of [undefined, 'Bearer ', `Bearer ${SIGNING_KEY}`]) {
      const response = await fetch(`${runner.url}/fn/register`, {
        method: 'POST',
        body,
        headers: authorization ? { authorization } : {},
      });
      expect(response.status).toBe(401);
    }
    const register = await fetch(app.url, { method: 'PUT' });
    expect([register.status, await register.json()]).toEqual([
      200,
      { message: 'Successfully registered', modified: false },
    ]);
  });

  it('rejects a response that the app didn’t sign', async () => {
    const impostor = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.method === 'PUT' ? '{"functions":[]}' : '"done"');
    });
    impostor.listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const address = impostor.address();
    target = `http://127.0.0.1:${typeof address === 'object' && address?.port}/api/inngest`;
    await createInngestClient(runner.url).send({ name: 'test/note', data: { n: 4 } });
    await waitUntil('the mistrust', async () => {
      const { problem } = (await (await fetch(`${runner.url}/health`)).json()) as { problem: string | null };
      return problem?.includes('without a valid signature');
    });
    expect(seen).not.toContain(4);
    target = app.url;
    await waitUntil('the real app', () => seen.includes(4));
    impostor.closeAllConnections();
    impostor.close();
  });

  it('sends jobs to the registered URL, as Inngest does', async () => {
    const loose = await startRunner({
      databaseUrl: database.url,
      schema: 'registered',
      eventKey: EVENT_KEY,
      signingKey: SIGNING_KEY,
    });
    const trusting = await startTestApp(loose.url, functions);
    const problem = async () =>
      ((await (await fetch(`${loose.url}/health`)).json()) as { problem: string | null }).problem;
    expect(await problem()).toContain('has not registered its address');
    await fetch(trusting.url, { method: 'PUT' });
    await loose.sync();
    await createInngestClient(loose.url).send({ name: 'test/note', data: { n: 6 } });
    await waitUntil('the job', () => seen.includes(6));

    const called: string[] = [];
    const stranger = createServer((request, response) => {
      called.push(request.headers.host ?? '');
      request.resume();
      response.writeHead(404).end();
    });
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const address = stranger.address();
    const host = `127.0.0.1:${typeof address === 'object' && address?.port}`;
    // This app trusts any request's Host header, and doesn't require a signature.
    const spoofed = request(trusting.url, { method: 'PUT', headers: { host, 'x-forwarded-proto': 'http' } });
    spoofed.end();
    const [answer] = await once(spoofed, 'response');
    answer.resume();
    await waitUntil('a call to the stranger', () => called.includes(host));
    stranger.closeAllConnections();
    stranger.close();
    await loose.close();
    await trusting.close();
  });

  it('explains what’s wrong with an app that has another key or runs in development mode', async () => {
    const other = await startTestApp(runner.url, functions, { signingKey: OTHER_KEY });
    target = other.url;
    await expect(runner.sync()).rejects.toThrow('INNGEST_SIGNING_KEY is not the same');
    const relaxed = await startTestApp(runner.url, functions, { isDev: true });
    target = relaxed.url;
    await expect(runner.sync()).rejects.toThrow('Remove INNGEST_DEV');
    target = app.url;
    await runner.sync();
    await other.close();
    await relaxed.close();
  });

  it('shows its runs, escaped, only under loopback host names', async () => {
    await createInngestClient(runner.url).send({ name: 'test/note', data: { n: 5, fail: true } });
    const page = await waitUntil('the failed run', async () => {
      const text = await (await fetch(runner.url)).text();
      return text.includes('status failed') ? text : undefined;
    });
    expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(page).not.toContain('<script');
    const request = get(`${runner.url}/runs.json`, {
      headers: { host: 'evil.example' },
    });
    const [response] = await once(request, 'response');
    response.resume();
    expect(response.statusCode).toBe(403);
  });
});
