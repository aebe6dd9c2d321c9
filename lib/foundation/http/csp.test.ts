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
    contentSecurityPolicy('nonce')
      .split('; ')
      .map((rule) => {
        const [name = '', ...sources] = rule.split(' ');
        return [name, sources];
      }),
  );
}

it('lets pages start the site’s own workers only, and run WebAssembly only in those', async () => {
  const policy = await readPolicy();
  expect(policy.get('worker-src')).toEqual(["'self'"]);
  expect(policy.get('script-src')).toEqual(["'self'", "'nonce-nonce'", "'strict-dynamic'"]);
  expect(policy.get('connect-src')).not.toContain('ws:');
});

/** Returns whether a policy's source allows a URL: its origin, and a path as CSP 3 matches it (6.7.2.12). */
function allows(source: string, url: string): boolean {
  const [rule, target] = [new URL(source), new URL(url)];
  if (rule.origin !== target.origin) return false;
  if (source === rule.origin) return true;
  return rule.pathname.endsWith('/')
    ? target.pathname.startsWith(rule.pathname)
    : target.pathname === rule.pathname;
}

const AMAZON = 'https://s3.eu-west-1.amazonaws.com';

it.each([
  ['a bucket’s own host at Amazon', '', 'videos', false, ['https://videos.s3.eu-west-1.amazonaws.com']],
  ['a path, for a name with dots', '', 'my.videos', false, [`${AMAZON}/my.videos`, `${AMAZON}/my.videos/`]],
  ['a bucket’s own host', 'https://storage.test', 'videos', false, ['https://videos.storage.test']],
  [
    'a path',
    'https://storage.test',
    'videos',
    true,
    ['https://storage.test/videos', 'https://storage.test/videos/'],
  ],
  ['a port', 'http://storage.test:9000', 'videos', false, ['http://videos.storage.test:9000']],
  [
    'a path and a port',
    'http://127.0.0.1:9000',
    'videos',
    true,
    ['http://127.0.0.1:9000/videos', 'http://127.0.0.1:9000/videos/'],
  ],
  [
    'a path behind a prefix',
    'https://proxy.test/s3',
    'videos',
    true,
    ['https://proxy.test/s3/videos', 'https://proxy.test/s3/videos/'],
  ],
])(
  'lets pages use the bucket, and no other one on its host: %s',
  async (_, endpoint, bucket, isPath, sources) => {
    vi.stubEnv('S3_ENDPOINT', endpoint);
    vi.stubEnv('S3_REGION', 'eu-west-1');
    vi.stubEnv('S3_BUCKET', bucket);
    vi.stubEnv('S3_FORCE_PATH_STYLE', isPath ? '1' : '');
    const policy = await readPolicy();
    for (const name of ['connect-src', 'img-src', 'media-src'])
      expect(policy.get(name)?.filter((source) => source.startsWith('http'))).toEqual(sources);

    const { presignForm, presignPut } = await import('@/lib/clients/direct-upload');
    const { presignDownload } = await import('@/lib/clients/storage');
    const upload = { key: 'entries/a', contentType: 'video/mp4', seconds: 60 };
    const urls = [
      await presignPut({ ...upload, bytes: 1 }),
      (await presignForm({ ...upload, maxBytes: 1 })).url,
      (await presignDownload('entries/a', 'video/mp4')).url,
    ];
    const isAllowed = (url: string) => sources.some((source) => allows(source, url));
    expect(urls.filter((url) => !isAllowed(url))).toEqual([]);
    const elsewhere = urls.map((url) => url.replace(bucket, `${bucket}-of-others`));
    expect(elsewhere.filter(isAllowed)).toEqual([]);
  },
);

it('doesn’t let a path end a source or a rule', async () => {
  vi.stubEnv('S3_ENDPOINT', "https://proxy.test/a;script-src 'unsafe-inline',b");
  vi.stubEnv('S3_FORCE_PATH_STYLE', '1');
  const policy = await readPolicy();
  expect(policy.get('script-src')).toEqual(["'self'", "'nonce-nonce'", "'strict-dynamic'"]);
  const [source = ''] = policy.get('media-src')?.slice(2) ?? [];
  expect(source).toMatch(/^https:\/\/proxy\.test\/a%3B[^;,\s]*%2C/);
});
