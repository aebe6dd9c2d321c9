import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';

beforeEach(() => {
  vi.resetModules();
  const database = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };
  for (const [name, value] of Object.entries({ ...TEST_SETTINGS, ...database })) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const REGIONS = [
  'us-east-1',
  'eu-west-1',
  'us-gov-west-1',
  'cn-north-1',
  'us-iso-east-1',
  'us-isob-east-1',
  'us-isof-south-1',
  'eu-isoe-west-1',
  'eusc-de-east-1',
];
const ENDPOINTS = [
  'https://storage.test',
  'https://storage.test:9000',
  'http://storage.test',
  'http://storage.test:9000',
  'https://proxy.test/s3',
  'https://account.r2.cloudflarestorage.com',
  'http://127.0.0.1:9000',
  'http://[::1]:9000',
  'http://localhost:9000',
];
const BUCKETS = ['videos', 'my-videos', 'my.videos', 'My_Videos', '192.168.1.1', 'ab', `a${'b'.repeat(62)}`];

const settings = BUCKETS.flatMap((bucket) => [
  ...REGIONS.map((region) => ({ region, endpoint: '', bucket })),
  ...ENDPOINTS.map((endpoint) => ({ region: 'us-east-1', endpoint, bucket })),
]);

it.each(settings.flatMap((one) => [false, true].map((isPath) => ({ ...one, isPath }))))(
  'is what the SDK signs URLs below: $bucket in $region, $endpoint, path $isPath',
  async ({ region, endpoint, bucket, isPath }) => {
    vi.stubEnv('S3_REGION', region);
    vi.stubEnv('S3_ENDPOINT', endpoint);
    vi.stubEnv('S3_BUCKET', bucket);
    vi.stubEnv('S3_FORCE_PATH_STYLE', isPath ? '1' : '');
    // What a machine says of other programs' storage is nothing to the site.
    vi.stubEnv('AWS_USE_DUALSTACK_ENDPOINT', 'true');
    const { bucketUrl } = await import('./bucket-url');
    const { presignDownload } = await import('@/lib/clients/storage');
    const { origin, pathname } = new URL((await presignDownload('any', 'text/plain')).url);
    const { origin: computed, pathname: path } = bucketUrl();
    expect(`${computed}${path.replace(/\/$/, '')}/any`).toBe(origin + pathname);
  },
);
