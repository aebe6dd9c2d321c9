// Sets what the adapter expects of its runtime.
import 'next/dist/server/node-environment-baseline';
import { adapter } from 'next/dist/server/web/adapter';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { middleware } from '@/middleware';
import { TEST_SETTINGS } from '@/test/app-database';

beforeAll(() => {
  const database = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };
  for (const [name, value] of Object.entries({ ...TEST_SETTINGS, ...database })) vi.stubEnv(name, value);
});
afterAll(() => vi.unstubAllEnvs());

/** Asks for a page as Next does where `guardServer` doesn't run, and returns what of the answer doesn't change each time. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const { response } = await adapter({
    handler: middleware as never,
    page: '/middleware',
    request: {
      url: `http://localhost:3000${path}`,
      method: 'GET',
      headers: { host: 'localhost:3000', ...headers },
      nextConfig: {},
      signal: new AbortController().signal,
    },
  } as never);
  const kept = [...response.headers].filter(
    ([name]) => name === 'location' || /^x-(nextjs|middleware-override)/.test(name),
  );
  return { status: response.status, headers: Object.fromEntries(kept) };
}

it.each(['/settings', '/entry/1?tab=notes', '/landing', '/login'])(
  'is no way to ask for %s: the answer is everybody’s',
  async (path) => {
    const usual = await ask(path);
    expect(await ask(path, { 'x-nextjs-data': '1' })).toEqual(usual);
    expect(usual.headers.location ?? usual.headers['x-middleware-override-headers']).toBeDefined();
  },
);
