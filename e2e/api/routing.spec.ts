import { expect, test } from '@/e2e/fixtures';
import { checkAccountStatus } from '@/lib/account/registration/contract';
import { openApi } from '@/lib/api/contract';
import { operations } from '@/lib/api/operations';
import { userIdOf } from '../database';
import { expectError } from './response-assertions';

test('/api/health answers for the database, storage and jobs', async ({ anonymous }) => {
  const response = await anonymous.send('GET', '/api/health');
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', storage: 'ok', jobs: 'ok' } },
  ]);
});

test('what is no operation is not found, in JSON', async ({ api }) => {
  for (const path of ['/api/v1/nothing', '/api/nothing', '/api/v1', '/api/v1/entry', '/api/v2/entries']) {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH']) {
      const response = await api.send(method, path);
      const body = (await response.json()) as { code: string };
      expect([path, method, response.status, body.code]).toEqual([path, method, 404, 'not_found']);
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  }
});

test('a method that an operation does not have is refused, with a request id of its own', async ({ api }) => {
  const ids = new Set<string | null>();
  for (const [method, path, allow] of [
    ['DELETE', '/api/v1/entries', 'GET, HEAD'],
    ['POST', '/api/v1/entries', 'GET, HEAD'],
    ['PUT', '/api/v1/login', 'POST'],
  ] as const) {
    const response = await api.send(method, path);
    expect([method, path, response.status, response.headers.get('allow')]).toEqual([
      method,
      path,
      405,
      allow,
    ]);
    ids.add(response.headers.get('x-request-id'));
  }
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(ids.size).toBe(3);
});

test('the OpenAPI document is served with every operation', async ({ anonymous }) => {
  const response = await anonymous.sendOperation(openApi);
  expect(response.status).toBe(200);
  const { openapi, paths } = (await response.json()) as { openapi: string; paths: Record<string, object> };
  expect(openapi).toMatch(/^3\.1\./);
  const served = Object.values(paths).flatMap((methods) => Object.keys(methods));
  expect(served).toHaveLength(operations.length);
});

test('a session is not read from an Authorization header', async ({ api, anonymous }) => {
  const token = api.cookies.get('next-auth.session-token') ?? '';
  const answer = await anonymous.sendOperation(checkAccountStatus, {}, { authorization: `Bearer ${token}` });
  await expectError(answer, 'unauthenticated');
});

test('the sample entry is there for visitors, part by part, and may be cached', async ({ anonymous }) => {
  const whole = await anonymous.send('GET', '/sample/poster.jpg');
  expect([whole.status, whole.headers.get('cache-control')]).toEqual([200, 'public, max-age=86400']);
  const part = await anonymous.send('GET', '/sample/entry.mp4', { headers: { range: 'bytes=0-99' } });
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4']);
  expect((await part.arrayBuffer()).byteLength).toBe(100);
});

test('the service worker is always the current one, and may only reach the site and storage', async ({
  anonymous,
  app,
}) => {
  const { status, headers } = await anonymous.send('GET', '/sw.js');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'no-cache',
  ]);
  const bucket = `${new URL(app.addresses.storage).origin}/${app.storage.bucket}`;
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; connect-src 'self' ${bucket} ${bucket}/; frame-ancestors 'none'`,
  );
});

test('a page reaches its bucket, and no other one on the same host', async ({ page, app, watch }) => {
  watch.allowConsole(/Content Security Policy|status of 40[34]/);
  await page.goto('/upload');
  const storage = new URL(app.addresses.storage).origin;
  const [others, own] = [
    `${storage}/${app.storage.bucket}-of-others/a`,
    `${storage}/${app.storage.bucket}/a`,
  ];
  const blocked: string[] = [];
  await page.exposeFunction('report', (url: string) => void blocked.push(url));
  await page.evaluate(
    async (urls) => {
      const { report } = globalThis as unknown as { report(url: string): void };
      document.addEventListener('securitypolicyviolation', ({ blockedURI }) => report(blockedURI));
      for (const url of urls) {
        await fetch(url, { mode: 'no-cors' }).catch(() => {});
        document.body.append(Object.assign(new Image(), { src: url }));
      }
    },
    [own, others],
  );
  await expect.poll(() => blocked).toEqual([others, others]);
});

test('the page for no network has nothing of whoever is signed in', async ({ api, account, sql }) => {
  const response = await api.send('GET', '/offline');
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
  const page = await response.text();
  for (const own of [account.email, await userIdOf(sql, account.email)]) expect(page).not.toContain(own);
});

test('the landing page is at / for anybody without a session, and has no other address', async ({
  anonymous,
  api,
}) => {
  const headline = 'A private journal you keep';
  /** What a page says, without its markup. */
  const textOf = async (response: Response) => (await response.text()).replaceAll(/<[^>]*>/g, '');
  const home = await anonymous.send('GET', '/');
  expect([home.status, await textOf(home)]).toEqual([200, expect.stringContaining(headline)]);
  const ended = await anonymous.send('GET', '/', {
    headers: { cookie: 'next-auth.session-token=ended' },
  });
  expect([ended.status, await textOf(ended)]).toEqual([200, expect.stringContaining(headline)]);
  expect(await textOf(await api.send('GET', '/'))).not.toContain(headline);
  for (const visitor of [anonymous, api]) {
    const page = await visitor.send('GET', '/landing');
    expect([page.status, page.headers.get('location')]).toEqual([307, '/']);
  }
});

test('the timeline has the journal’s address, and no other', async ({ api }) => {
  const page = await api.send('GET', '/journals/timeline');
  expect([page.status, page.headers.get('location')]).toEqual([307, '/journals?view=timeline']);
  expect((await api.send('GET', '/journals?view=timeline')).status).toBe(200);
});
