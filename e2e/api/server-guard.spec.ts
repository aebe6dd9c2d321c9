import { expect, test } from '@/e2e/fixtures';
import { API_CSP } from '@/lib/foundation/http/api-csp';
import { DEFAULT_CSP } from '@/lib/foundation/http/default-csp';
import { sendRaw, sendRawBytes } from '@/test/raw-http';

/** Addresses that middleware doesn't see, whether there's something or not. */
const WITHOUT_MIDDLEWARE = [
  '/_next/nothing',
  '/_next/static/nothing.js',
  '/_next/data/x/y.json',
  '/_next/image?url=%2Ficon.svg&w=64&q=75',
  '/speech/nothing',
  '/sample/nothing',
  '/icons/nothing',
  '/pictures/nothing.webp',
  '/screenshots/nothing',
  '/icon.svg',
  '/icon.svg/nothing',
  '/favicon.ico',
  '/manifest.webmanifest',
  '/robots.txt',
  '/share',
  '/sw.js',
  '/sw.js/nothing',
];

const OURS = { 'x-nonce': 'bWluZQ', 'x-path': '/offline', 'x-session-unknown': '1', 'x-page-key': 'mine' };
const POLICY = "script-src 'self' 'nonce-bWluZQ'";

test('every answer has a content security policy, and the caller’s nonce is in none', async ({ app }) => {
  const pages = [
    '/',
    '/login',
    '/journals',
    '/nothing',
    '/offline',
    '/%ff',
    '/api/nothing',
    '/api/v1/nothing',
  ];
  for (const path of [...pages, ...WITHOUT_MIDDLEWARE]) {
    for (const headers of [OURS, { ...OURS, 'content-security-policy': POLICY }]) {
      const { headers: answered, text } = await sendRaw(app.url, { method: 'GET', path, headers });
      const policy = String(answered['content-security-policy'] ?? '');
      expect(policy, path).toMatch(/default-src '(none|self)'.*frame-ancestors 'none'/);
      expect(policy, path).not.toContain('bWluZQ');
      // Nor what makes pages trust a header.
      expect(JSON.stringify(answered), path).not.toContain('page-key');
      expect(text, path).not.toContain('bWluZQ');
    }
  }
});

test('an answer’s own policy replaces the one for everything', async ({ anonymous }) => {
  const policyOf = async (path: string) =>
    (await anonymous.send('GET', path)).headers.get('content-security-policy') ?? '';
  expect(await policyOf('/_next/nothing')).toBe(DEFAULT_CSP);
  expect(await policyOf('/api/v1/nothing')).toBe(API_CSP);
  expect(await policyOf('/login')).toMatch(/'nonce-[^']+' 'strict-dynamic'/);
  const worker = await policyOf('/sw.js');
  expect(worker).toMatch(/^default-src 'none'; connect-src 'self' http/);
});

test('a caller’s headers change no page', async ({ app }) => {
  for (const path of ['/_next/nothing', '/speech/nothing', '/nothing']) {
    const { status, text } = await sendRaw(app.url, { method: 'GET', path, headers: OURS });
    // Middleware's header for the offline page would leave it out.
    expect([path, status, text.includes('<nav')]).toEqual([path, 404, true]);
  }
});

test('a target with another host is refused, and one with ours is answered', async ({ app }) => {
  const ask = (target: string, host = 'localhost') =>
    sendRawBytes(app.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const { port } = new URL(app.url);
  for (const target of [
    'http://elsewhere.example/',
    'http://elsewhere.example/api/v1/entries',
    'HTTPS://elsewhere.example',
    `http://localhost.elsewhere.example:${port}/login`,
    `http://localhost@elsewhere.example/`,
    'http:///login',
  ]) {
    const answer = await ask(target);
    expect(answer, target).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
  }
  for (const host of [`localhost:${port}`, 'LOCALHOST', '127.0.0.1', '[::1]']) {
    expect(await ask(`http://${host}/login`, 'elsewhere.example')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(`http://${host}/api/v1/entries?limit=1`)).toMatch(
      /^HTTP\/1\.1 401 [\s\S]*"unauthenticated"/,
    );
    expect(await ask(`http://${host}`)).toMatch(/^HTTP\/1\.1 200 /);
  }
});

test('a page whose request asks for another protocol is answered, and its connection closed', async ({
  app,
}) => {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13';
  for (const [path, status] of [
    ['/journals', 307],
    ['/login', 200],
    ['/_next/webpack-hmr', 404],
    ['/api/v1/entries', 401],
  ] as const) {
    const answer = await sendRawBytes(
      app.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`,
    );
    expect(answer, path).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*Connection: close`, 'i'));
  }
});
