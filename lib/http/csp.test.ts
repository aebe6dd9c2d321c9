import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';

beforeEach(() => {
  vi.resetModules();
  const database = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };
  for (const [name, value] of Object.entries({ ...TEST_SETTINGS, ...database })) {
    vi.stubEnv(name, value);
  }
});
afterAll(() => vi.unstubAllEnvs());

async function readPolicy(): Promise<Map<string, string[]>> {
  const { contentSecurityPolicy } = await import('./csp');
  return new Map(
    (await contentSecurityPolicy('nonce')).split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources];
    }),
  );
}

it('lets pages start the site’s own workers only, and run WebAssembly only in those', async () => {
  const policy = await readPolicy();
  expect(policy.get('worker-src')).toEqual(["'self'"]);
  expect(policy.get('script-src')).toEqual(["'self'", "'nonce-nonce'", "'strict-dynamic'"]);
});

it.each([
  ['a bucket’s own host at Amazon', '', 'videos', false, 'https://videos.s3.eu-west-1.amazonaws.com'],
  ['a path, for a name with dots', '', 'videos.example', false, 'https://s3.eu-west-1.amazonaws.com'],
  ['a bucket’s own host', 'https://storage.test', 'videos', false, 'https://videos.storage.test'],
  ['a path', 'https://storage.test', 'videos', true, 'https://storage.test'],
  ['a port', 'http://storage.test:9000', 'videos', false, 'http://videos.storage.test:9000'],
  ['a path and a port', 'http://127.0.0.1:9000', 'videos', true, 'http://127.0.0.1:9000'],
  ['a path behind a prefix', 'https://proxy.test/s3', 'videos', true, 'https://proxy.test'],
])('lets pages use the origin that signed URLs have: %s', async (_, endpoint, bucket, isPath, origin) => {
  vi.stubEnv('S3_ENDPOINT', endpoint);
  vi.stubEnv('S3_REGION', 'eu-west-1');
  vi.stubEnv('S3_BUCKET', bucket);
  vi.stubEnv('S3_FORCE_PATH_STYLE', isPath ? '1' : '');
  const policy = await readPolicy();
  const { presignPut } = await import('@/lib/services/direct-upload');
  for (const name of ['connect-src', 'img-src', 'media-src']) expect(policy.get(name)).toContain(origin);
  const upload = { key: 'entries/a', contentType: 'video/mp4', bytes: 1, seconds: 60 };
  expect(new URL(await presignPut(upload)).origin).toBe(origin);
});
