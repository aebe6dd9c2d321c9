import { afterAll, beforeAll, expect, it } from 'vitest';
import { useGuardedServer } from '@/test/guarded-server';
import { sendRaw } from '@/test/raw-http';
import { operations } from './operations';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

let server: Awaited<ReturnType<typeof useGuardedServer>>;

beforeAll(async () => {
  server = await useGuardedServer();
});
afterAll(() => server.close());

it('answers every method that an address lacks with those that it has, whatever the body', async () => {
  const paths = new Set(operations.map(({ path }) => path));
  expect(paths.size).toBeGreaterThan(100);
  for (const pattern of paths) {
    const path = `/api/v1${pattern.replace(/:\w+/g, 'x')}`;
    const allow = new Set<string>();
    for (const { method, path: other } of operations) {
      if (!new RegExp(`^${other.replace(/:\w+/g, '[^/]+')}$`).test(path.slice('/api/v1'.length))) continue;
      for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) allow.add(one);
    }
    const lacking = METHODS.filter((one) => !allow.has(one));
    expect(lacking, path).not.toEqual([]);
    for (const method of lacking) {
      const { status, headers } = await sendRaw(server.url + path, { method, body: '{"a":1}' });
      const sent = new Set(headers.allow?.split(', '));
      expect([method, path, status, sent]).toEqual([method, path, 405, allow]);
    }
  }
  expect(server.seen).toEqual([]);
});

it('leaves addresses without operations, and preflights, to the app', async () => {
  for (const [method, path] of [
    ['PUT', '/api/v1/nothing'],
    ['PUT', '/api/inngest'],
    ['OPTIONS', '/api/v1/login'],
  ] as const) {
    expect([path, (await sendRaw(server.url + path, { method })).status]).toEqual([path, 200]);
  }
});
