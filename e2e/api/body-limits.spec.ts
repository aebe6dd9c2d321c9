import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@/e2e/client';
import { expect, test } from '@/e2e/fixtures';
import type { App } from '@/e2e/running-app';
import { login } from '@/lib/account/registration/contract';
import { disconnectWhileSending, sendRaw } from '@/test/raw-http';

const MB = 1_000_000;
/** JSON that takes a hundred times its size once parsed. */
const jsonBomb = (bytes: number) => `[1,${'{},'.repeat(bytes / 3)}1]`;
const now = () => Math.round(Date.now() / 1000);
const badSignature = () => ({ 'x-inngest-signature': `t=${now()}&s=${'0'.repeat(64)}` });

const logLinesFor = (app: App, id: string) =>
  readFileSync(join(app.dataDir, 'logs', 'app.log'), 'utf8')
    .split('\n')
    .filter((line) => id !== '' && line.includes(id));

/** Waits for the line of a rejection, and checks that it's the only one and tells nothing of the request. */
async function expectLogged(app: App, id: string, about: Record<string, unknown>) {
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const rejections = () => logLinesFor(app, id).filter((line) => 'event' in JSON.parse(line));
  await expect.poll(() => rejections().length).toBe(1);
  expect(JSON.parse(rejections()[0] ?? '')).toMatchObject({ level: 30, requestId: id, ...about });
  expect(logLinesFor(app, id).join()).not.toMatch(/secret|elsewhere|unfold/);
}

const idOf = (headers: Record<string, unknown>) => String(headers['x-request-id'] ?? '');

const PATHS: [method: string, path: string, headers?: Record<string, string>][] = [
  ['POST', '/api/v1/login'],
  ['POST', '/api/v1/token/refresh'],
  ['POST', '/api/v1/nothing'],
  ['DELETE', '/api/nothing'],
  ['POST', '/api/auth/signin/google'],
  ['POST', '/api/auth/_log'],
  ['POST', '/api/inngest'],
  ['PUT', '/api/inngest'],
  ['POST', '/api/inngest', badSignature()],
  ['POST', '/api/webhooks/stripe'],
  ['POST', '/api/webhooks/stripe', { 'stripe-signature': `t=${now()},v1=${'0'.repeat(64)}` }],
  ['POST', '/login'],
  ['POST', '/'],
  ['POST', '/entry/1/a'],
  ['PUT', '/nowhere/secret'],
  ['POST', '/_next/image'],
  ['GET', '/login'],
];

/** Path and headers → status. */
const REJECTED_UNREAD: Record<string, number> = {
  '/api/v1/token/refresh ': 401,
  '/api/inngest ': 401,
  '/api/webhooks/stripe ': 400,
};

for (const chunked of [false, true]) {
  test(`25 MB to any path are refused at once, and the app goes on (chunked: ${chunked})`, async ({
    app,
    account,
  }) => {
    const body = jsonBomb(25 * MB);
    for (const [method, path, headers = {}] of PATHS) {
      const answer = await sendRaw(`${app.url}${path}?secret=1`, { method, headers, chunked, body });
      // Without a length, what's refused for something else first is refused unread.
      const first = chunked ? REJECTED_UNREAD[`${path} ${Object.keys(headers)}`] : undefined;
      expect([method, path, answer.status]).toEqual([method, path, first ?? 413]);
      if (path.startsWith('/api')) {
        const text = expect.any(String);
        expect(JSON.parse(answer.text)).toMatchObject({ message: text, code: text });
      }
      await expectLogged(app, idOf(answer.headers), {});
    }
    // The same process, and it works.
    const { email, password } = account;
    await createClient(app.url).call(login, { body: { email, password } });
  });
}

test('bodies within the limits that unfold when parsed do no harm, however often they are sent', async ({
  app,
  anonymous,
}) => {
  const body = jsonBomb(4 * MB);
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        sendRaw(`${app.url}/api/inngest`, { method: 'POST', headers: badSignature(), body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  }
  expect((await anonymous.send('GET', '/api/health')).status).toBe(200);
});

test('the job service’s address tells an unsigned caller nothing', async ({ app, anonymous }) => {
  for (const method of ['GET', 'PUT', 'POST']) {
    const response = await anonymous.send(method, '/api/inngest', {
      headers: { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https' },
    });
    expect([method, response.status]).toEqual([method, 401]);
    expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
    await expectLogged(app, response.headers.get('x-request-id') ?? '', { code: 'unauthenticated' });
  }
});

test('every rejection has a line with its request id', async ({ app, anonymous, api }) => {
  const rejected: [Response, Record<string, unknown>][] = [
    [await anonymous.send('GET', '/journals?secret=1'), { event: 'page.refused' }],
    [await anonymous.send('GET', '/api/nothing/secret'), { code: 'not_found' }],
    [await api.send('GET', '/nowhere/secret'), { status: 404 }],
    [await api.send('DELETE', '/api/v1/entries?secret=1'), { status: 405 }],
    [await anonymous.send('PUT', '/login?secret=1'), { status: 405 }],
    [await anonymous.send('GET', '/_next/static/secret.js'), { status: 404 }],
    [await anonymous.send('GET', '/api/auth/callback/google?state=secret'), { event: 'auth.refused' }],
    [await anonymous.send('POST', '/api/auth/nothing'), { event: 'auth.refused' }],
    [
      await anonymous.send('GET', '/api/v1/logout', { headers: { referer: 'https://elsewhere.example' } }),
      { code: 'cross_site_request' },
    ],
  ];
  for (const [response, about] of rejected) {
    await expectLogged(app, response.headers.get('x-request-id') ?? '', about);
  }
});

test('a client that disconnects while sending is no error', async ({ app, anonymous }) => {
  const json = 'Content-Type: application/json';
  const aborted = () =>
    readFileSync(join(app.dataDir, 'logs', 'app.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"request.aborted"'));
  for (const head of [
    `POST /api/v1/login HTTP/1.1\r\n${json}`,
    `POST /api/auth/signin/google HTTP/1.1\r\n${json}`,
    `POST /api/nothing HTTP/1.1\r\n${json}`,
    `POST /api/inngest HTTP/1.1\r\n${json}\r\nx-inngest-signature: t=${now()}&s=${'0'.repeat(64)}`,
  ]) {
    const seen = aborted().length;
    await disconnectWhileSending(app.url, head, 50_000, 100);
    await expect.poll(() => aborted().length).toBeGreaterThan(seen);
  }
  await disconnectWhileSending(app.url, `POST /login HTTP/1.1\r\n${json}`, 50_000, 100);
  expect((await anonymous.send('GET', '/api/health')).status).toBe(200);
  for (const line of aborted()) expect(JSON.parse(line).level).toBeLessThan(40);
});

test('a hundred callers at once are told the same health', async ({ anonymous }) => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => anonymous.send('GET', '/api/health')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
