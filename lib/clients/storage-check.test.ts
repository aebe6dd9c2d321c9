import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startS3 } from '@/local/s3/server';
import { startLocalServices } from '@/test/services';
import { startStorageProxy } from '@/test/storage-proxy';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let storage: Awaited<ReturnType<typeof startS3>>;
let proxy: Awaited<ReturnType<typeof startStorageProxy>>;
const undo: (() => void)[] = [];

beforeAll(async () => {
  services = await startLocalServices();
  storage = await startS3({
    dir: services.folder('checked'),
    bucket: process.env.S3_BUCKET ?? '',
    region: process.env.S3_REGION ?? '',
    accessKeyId: process.env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: process.env.S3_SECRET_ACCESS_KEY ?? '',
    allowedOrigins: () => ['http://localhost:3000'],
  });
  proxy = await startStorageProxy(storage.url);
});
afterEach(() => {
  for (const back of undo.splice(0)) back();
});
afterAll(async () => {
  await proxy.close();
  await storage.close();
  await services.end();
});

/** Loads the check afresh with other settings, as a new process would. */
async function load(settings: Record<string, string> = {}) {
  vi.resetModules();
  const all = { S3_ENDPOINT: proxy.url, ...settings };
  const before = Object.fromEntries(Object.keys(all).map((name) => [name, process.env[name]]));
  Object.assign(process.env, all);
  const check = await import('./storage-check');
  const { bucket, s3 } = await import('./storage');
  bucket();
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return { ...check, bucket, s3 };
}
const problemsWith = async (settings?: Record<string, string>) =>
  (await load(settings)).findStorageProblems();

it('finds nothing wrong with storage that works, and leaves nothing in it', async () => {
  const { findStorageProblems, bucket, s3 } = await load();
  expect(await findStorageProblems()).toEqual([]);
  expect((await s3().send(new ListObjectsV2Command({ Bucket: bucket() }))).Contents).toBeUndefined();
});

it.each([
  ['a wrong key', { S3_ACCESS_KEY_ID: 'AKIDOTHER' }, /recognize S3_ACCESS_KEY_ID/],
  ['a wrong secret', { S3_SECRET_ACCESS_KEY: 'other' }, /rejected S3_SECRET_ACCESS_KEY/],
  ['a missing bucket', { S3_BUCKET: 'none' }, /no bucket named none/],
  ['a wrong region', { S3_REGION: 'eu-north-1' }, /isn’t in eu-north-1/],
  [
    'an address where nothing listens',
    { S3_ENDPOINT: 'http://127.0.0.1:9' },
    /127\.0\.0\.1:9 can’t be reached/,
  ],
  [
    'pages that its CORS rules don’t allow',
    { APP_URL: 'http://localhost:3001' },
    /CORS .* let http:\/\/localhost:3001/,
  ],
] as const)('names %s, in one line', async (_, settings, line) => {
  const secret = randomUUID();
  const problems = await problemsWith({ ...settings, AUTH_SECRET: `${secret}${secret}` });
  expect(problems).toEqual([expect.stringMatching(line)]);
  expect(problems.join()).not.toMatch(new RegExp(`${secret}|\\n`));
});

it.each([
  ['a read-only bucket', /^PUT /, 403, '<Error><Code>AccessDenied</Code></Error>', /permission to write/],
  ['a full disk', /^PUT /, 507, '', /is full/],
  [
    'a bucket that can’t be listed',
    /^GET /,
    403,
    '<Error><Code>AccessDenied</Code></Error>',
    /permission to list/,
  ],
  ['storage that fails', /^GET /, 503, '', /responded with status 503/],
  ['rights that parts need', /^POST /, 403, '', /permission for multipart uploads/],
])('names %s, in one line', async (_, pattern, status, body, line) => {
  undo.push(proxy.refuse(pattern, status, body));
  expect(await problemsWith()).toContainEqual(expect.stringMatching(line));
});

it.each([
  ['forms', /^OPTIONS \/[^/]+$/],
  ['whole files', /^OPTIONS \/.+\//],
])('names CORS rules that don’t allow %s', async (_, pattern) => {
  undo.push(proxy.refuse(pattern, 403));
  expect(await problemsWith({ S3_POST_OBJECT: 'on' })).toEqual([
    expect.stringMatching(/allow POST and PUT with the headers content-md5 and content-type/),
  ]);
});

const rule = (origin: string) =>
  `<CORSRule><AllowedOrigin>${origin}</AllowedOrigin><AllowedMethod>PUT</AllowedMethod></CORSRule>`;
it.each([
  [
    'other sites',
    200,
    `<CORSConfiguration>${rule('https://old.example')}${rule('https://older.example')}</CORSConfiguration>`,
    'They’re for https://old.example, https://older.example. Run',
  ],
  ['nothing', 404, '<Error><Code>NoSuchCORSConfiguration</Code></Error>', 'The bucket has no rules yet. Run'],
  ['what storage doesn’t tell', 403, '', 'upload. Run'],
])('says that the bucket’s CORS rules are for %s', async (_, status, body, sentence) => {
  undo.push(proxy.refuse(/^OPTIONS /, 403), proxy.refuse(/^GET \/[^/]+\/?$/, status, body));
  const { findCorsProblem } = await load();
  const problem = await findCorsProblem();
  expect(problem).toContain('don’t let http://localhost:3000 (APP_URL) upload. ');
  expect(problem).toContain(sentence);
});

it('names a setting that claims what storage doesn’t have', async () => {
  undo.push(proxy.refuse(/^POST \/[^/]+$/, 501));
  expect(await problemsWith({ S3_POST_OBJECT: 'on' })).toEqual([
    expect.stringMatching(/S3_POST_OBJECT is on/),
  ]);
});

it('writes for health checks only once in a while, and again after a failure', async () => {
  const { checkStorage } = await load();
  const back = proxy.refuse(/^PUT /, 403);
  await expect(checkStorage(5000)).rejects.toMatchObject({ code: 'unavailable' });
  back();
  proxy.requests.splice(0);
  for (let time = 0; time < 3; time += 1) await checkStorage(5000);
  expect(proxy.requests.filter((asked) => asked.startsWith('PUT'))).toHaveLength(1);
  undo.push(proxy.refuse(/^GET /, 500));
  await expect(checkStorage(5000)).rejects.toMatchObject({ code: 'unavailable' });
});
