import { NextRequest } from 'next/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';

const written = vi.spyOn(process.stderr, 'write');

beforeEach(() => {
  vi.resetModules();
  // As a preview gets them: what the host itself sets, and nothing of the operator's.
  for (const name of [...Object.keys(TEST_SETTINGS), 'DATABASE_URL']) vi.stubEnv(name, undefined);
  vi.stubEnv('VERCEL', '1');
  vi.stubEnv('VERCEL_PROJECT_PRODUCTION_URL', 'journal.test');
  vi.stubEnv('NEXT_RUNTIME', 'nodejs');
  written.mockReset();
  written.mockReturnValue(true);
});
afterEach(() => vi.unstubAllEnvs());

it('starts on a serverless host without settings, and lists them in the log alone', async () => {
  const { register } = await import('@/instrumentation');
  await register();
  const output = written.mock.calls.join('\n');
  expect(output).toContain('AUTH_SECRET is missing');
  expect(output).toContain('DATABASE_URL is missing');
});

it('answers pages with one that says so, and 503', async () => {
  const { middleware } = await import('@/middleware');
  for (const path of ['/', '/login', '/journals', '/nowhere']) {
    const page = await middleware(new NextRequest(`https://preview.test${path}`));
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain('This deployment has no settings');
    expect(text).not.toMatch(/AUTH_SECRET|DATABASE_URL/);
  }
});

it('answers the API and health checks with 503 and JSON', async () => {
  const { GET } = await import('@/app/api/v1/plans/route');
  const answer = await GET(new NextRequest('https://preview.test/api/v1/plans'), {} as never);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { code: 'unavailable', message: expect.stringContaining('no settings') },
  ]);
  const { GET: health } = await import('@/app/api/health/route');
  const failed = await health(new Request('https://preview.test/api/health'));
  expect([failed.status, await failed.json()]).toMatchObject([503, { status: 'failed' }]);
});

it('ends the process elsewhere', async () => {
  vi.stubEnv('SERVERLESS', '0');
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const { register } = await import('@/instrumentation');
  await expect(register()).rejects.toThrow('exit 1');
  expect(written.mock.calls.join('\n')).toContain('AUTH_SECRET is missing');
  exit.mockRestore();
});
