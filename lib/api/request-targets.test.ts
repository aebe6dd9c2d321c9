import { afterAll, beforeAll, expect, it } from 'vitest';
import { useGuardedServer } from '@/test/guarded-server';
import { sendRaw, sendRawBytes } from '@/test/raw-http';

let server: Awaited<ReturnType<typeof useGuardedServer>>;
let url: string;
let seen: typeof server.seen;

beforeAll(async () => {
  server = await useGuardedServer();
  ({ url, seen } = server);
});
afterAll(() => server.close());

it('refuses a method that nothing here has, and says which there are', async () => {
  const targets = [
    ['/', 'GET, HEAD'],
    ['/api/nothing', 'GET, HEAD'],
    ['/api/v1/entries?limit=1', 'GET, HEAD'],
    ['/api/v1/login', 'POST'],
    ['/api/v1/category/x/', 'DELETE'],
    ['/api/v1/entry/0190a0b0-0000-7000-8000-000000000000', 'GET, HEAD, POST'],
  ] as const;
  for (const method of ['TRACE', 'PROPFIND']) {
    for (const [path, allow] of targets) {
      const { status, headers } = await sendRaw(url + path, { method });
      expect([path, status, headers.allow]).toEqual([path, 405, allow]);
    }
  }
});

it('refuses to be a proxy', async () => {
  const answer = await sendRawBytes(
    url,
    'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
  );
  expect(answer).toMatch(
    /^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, HEAD\r\nx-request-id: [0-9a-f-]{36}\r\n\r\n$/,
  );
});

const BAD_ESCAPES = ['%ff', '%', '%zz', '%c0%af', '%ed%a0%80', 'caf%e9', '%f4%90%80%80', '%2', 'a%00%ff'];

it('refuses a target that is no address', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await sendRawBytes(
      url,
      `${method} * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
  }
});

it('refuses an address of the API with an escape that is none', async () => {
  const before = seen.length;
  for (const escaped of BAD_ESCAPES) {
    for (const path of [
      `/api/v1/entry/${escaped}`,
      `/api/v1/entry/x/video/${escaped}?a=b`,
      `/api/auth/${escaped}`,
    ]) {
      const answer = await sendRaw(url, { method: 'GET', path });
      expect([path, answer.status, JSON.parse(answer.text)]).toMatchObject([
        path,
        400,
        { code: 'bad_request' },
      ]);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      const posted = await sendRaw(url, { method: 'POST', path, body: '{}' });
      expect(posted.status).toBe(400);
    }
  }
  expect(seen.length).toBe(before);
  expect((await sendRaw(url, { method: 'GET', path: '/api/v1/search?query=%ff' })).status).toBe(200);
});

it('hands pages an address that they can read', async () => {
  for (const [path, readable] of [
    ['/entry/%ff', '/entry/%EF%BF%BD'],
    ['/entry/x/caf%e9', '/entry/x/caf%EF%BF%BD'],
    ['/entry/100%', '/entry/100%25'],
    ['/%zz/%20%c3%a9?next=%ff', '/%25zz/%20%c3%a9?next=%EF%BF%BD'],
    ['/a%2fb?next=%ff', '/a%2fb?next=%ff'],
  ] as const) {
    await sendRaw(url, { method: 'GET', path });
    expect(seen.at(-1)?.path).toBe(readable);
  }
});

it('refuses a target on another host, whatever the header says, and takes the path of one on ours', async () => {
  const ask = (method: string, target: string, host: string) =>
    sendRawBytes(url, `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const before = seen.length;
  for (const target of [
    'http://elsewhere.example/',
    'https://elsewhere.example:3000/api/v1/entries',
    'http://@/',
  ]) {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(method, target, 'localhost');
      expect(answer).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n[\s\S]*x-request-id: [0-9a-f-]{36}\r\n/);
    }
  }
  expect(seen.length).toBe(before);
  for (const [target, path] of [
    ['http://localhost', '/'],
    ['HTTP://LOCALHOST:3000/api/v1/entries?limit=1', '/api/v1/entries?limit=1'],
    ['https://127.0.0.1?a=b', '/?a=b'],
    ['http://[::1]:80//elsewhere/page', '//elsewhere/page'],
  ] as const) {
    expect(await ask('GET', target, 'elsewhere.example')).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen.at(-1)?.path).toBe(path);
  }
  // The rules for a path hold for it, too.
  expect(await ask('GET', 'http://localhost/api/v1/login', 'localhost')).toMatch(/^HTTP\/1\.1 405 /);
});
