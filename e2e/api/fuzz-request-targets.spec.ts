import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect } from '@/e2e/fixtures';
import { createSender } from '@/e2e/fuzz/fuzz-operation';
import { errorProblems } from '@/e2e/fuzz/response-problems';
import { type SeededAccount, seedFullAccount } from '@/e2e/fuzz/seeded-account';
import type { App } from '@/e2e/running-app';
import { sendRawBytes } from '@/test/raw-http';

const test = base.extend<object, { world: SeededAccount }>({
  world: [async ({ app, sql }, use) => use(await seedFullAccount(app, sql)), { scope: 'worker' }],
});

const get = (path: string) => ({ method: 'GET', path, headers: {} });

const METHODS = [
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'POST',
];
const TARGETS = [
  ...['/', '/login', '/entry/x', '/nothing', '/icon.svg', '/favicon.ico', '/manifest.webmanifest'],
  ...['/_next/static/nothing.js', '/_next/image?url=%2Ficon.svg&w=64&q=75', '/_next/data/x/y.json'],
  ...[
    '/api',
    '/api/health',
    '/api/nothing',
    '/api/v1/entries',
    '/api/v1/login',
    '/api/auth/session',
    '/api/inngest',
  ],
];
/** Addresses of no page: other forms of a target, ways up and down, and bytes that are no characters. */
const ADDRESSES = [
  ...[
    '//',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '///',
    '/./',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e',
  ],
  ...[
    '/api/v1/../../login',
    '/api/v1/%2e%2e/health',
    '/api/v1//entries',
    '/api//v1/entries',
    '/API/V1/entries',
  ],
  ...[
    'http://elsewhere.example/',
    'http://elsewhere.example/%ff',
    'file:///etc/passwd',
    '*',
    '?',
    '?a',
    'a',
    '/?%ff',
  ],
  ...[
    '/%',
    '/%ff',
    '/%00',
    '/%zz',
    '/%25ff',
    '/%2525',
    '/a%2fb',
    '/%5c',
    '/%5c%5celsewhere.example',
    '/;a=b',
    '/:',
  ],
  ...['/_next/static/%ff', '/_next/static/%2e%2e/%2e%2e/x', '/_next/image', '/_next/image?url=%ff&w=64&q=75'],
  ...[
    '/_next/image?url=http://elsewhere.example/a.png&w=64&q=75',
    '/_next/data/%ff',
    '/icon.svg/%ff',
    '/%ff/icon.svg',
  ],
  ...['/api/%ff', '/api/v1/%ff', '/api/auth/%ff', '/api/auth/callback/%ff', '/api/v1/entry/%ff/video'],
  ...[
    '/api/v1/entry/%2f',
    '/api/v1/entry/%00/thumbnail',
    '/[id]',
    '/entry/[id]',
    '/entry/%5Bid%5D/x',
    '/(journal)',
  ],
  ...[
    '/entry/x.rsc',
    '/entry/x.json',
    '/index',
    '/index.html',
    '/_error',
    '/_not-found',
    '/404',
    '/500',
    '/_global-error',
  ],
  ...[
    '/\u00e9',
    '/api/v1/entry/\u00ff',
    `/${'a/'.repeat(2000)}`,
    `/${'a'.repeat(8000)}`,
    `/${'%ff'.repeat(2000)}`,
  ],
];
const HOSTS = [
  '',
  'a b',
  '%00',
  '[',
  '[::1',
  'elsewhere.example:99999',
  'a,b',
  '\u00ff',
  'a'.repeat(3000),
  '.',
  '/',
];

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

test('no request line brings it down', async ({ app }) => {
  const heads = [
    ...METHODS.flatMap((method) =>
      TARGETS.map((target) => `${method} ${target} HTTP/1.1\r\nHost: localhost`),
    ),
    ...ADDRESSES.flatMap((address) =>
      ['GET', 'POST', 'OPTIONS'].map((method) => `${method} ${address} HTTP/1.1\r\nHost: localhost`),
    ),
    ...HOSTS.flatMap((host) =>
      ['/', '/api/v1/entries', '/%ff'].map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}`),
    ),
    ...['/', '/api/v1/entries'].flatMap((path) => [
      ...[`GET ${path} HTTP/1.0`, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: nonsense`],
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: nonsense`,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere.example`,
      `GET ${path} HTTP/9.9\r\nHost: localhost`,
    ]),
  ];
  const bad: string[] = [];
  for (let start = 0; start < heads.length; start += 6) {
    await Promise.all(
      heads.slice(start, start + 6).map(async (head) => {
        const answer = await sendRawBytes(
          app.url,
          Buffer.from(`${head}\r\nConnection: close\r\n\r\n`, 'latin1'),
        );
        const status = statusOf(answer);
        const isRight = status >= 200 && status < 500 && /x-request-id: [0-9a-f-]{36}/.test(answer);
        if (!isRight) bad.push(`${head.slice(0, 120)}: ${answer.slice(0, 120)}`);
      }),
    );
  }
  expect(bad).toEqual([]);
});

/** The lines of a request in the log that tell of a refusal. */
function loggedRejections(app: App, id: string) {
  const lines = readFileSync(join(app.dataDir, 'logs', 'app.log'), 'utf8').split('\n');
  return lines.filter((line) => id && line.includes(id)).map((line) => JSON.parse(line));
}

test('what never reaches a handler has one line in the log', async ({ app }) => {
  for (const [line, refusal] of [
    ['GET /api/v1/entry/%ff', { code: 'bad_request', status: 400 }],
    ['GET /api/v1/entry/%/video', { code: 'bad_request', status: 400 }],
    ['OPTIONS *', { code: 'bad_request', status: 400 }],
    ['TRACE /', { status: 405, method: 'TRACE' }],
    ['TRACE /api/v1/entries', { status: 405, method: 'TRACE' }],
    ['CONNECT elsewhere.example:443', { status: 405, method: 'CONNECT' }],
  ] as const) {
    const answer = await sendRawBytes(
      app.url,
      `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    const id = /x-request-id: (\S+)/.exec(answer)?.[1] ?? '';
    await expect.poll(() => loggedRejections(app, id).length, line).toBe(1);
    expect(loggedRejections(app, id)[0]).toMatchObject({ level: 30, event: 'refused', ...refusal });
  }
});

test('the API answers a bad escape with an error that people can read, and pages with a page', async ({
  app,
  page,
  world,
  watch,
}) => {
  watch.allowConsole(/status of 404/);
  const send = createSender(app.url, world);
  for (const path of ['/api/v1/entry/%ff', '/api/v1/entry/%/video', '/api/v1/nothing/%zz', '/api/%ff']) {
    const answer = await send(get(path));
    expect([answer.status, JSON.parse(answer.text).code, errorProblems(answer)]).toEqual([
      400,
      'bad_request',
      [],
    ]);
  }
  const [entry] = world.ids();
  expect((await send(get(`/entry/${entry}/caf%e9`))).status, 'a title in another encoding').toBe(200);
  for (const path of ['/entry/%ff', '/%ff', '/nothing/%zz']) {
    const response = await page.goto(path);
    expect([path, response?.status()]).toEqual([path, 404]);
    await expect(page.getByRole('link', { name: 'Go home' })).toBeVisible();
  }
});
