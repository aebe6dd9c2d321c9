import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { useFreshDatabase } from '@/test/app-database';
import { setUpBucket } from './bucket-setup';

/** Statuses and bodies that storage answers with, by method and path. */
let answers: Record<string, [status: number, body?: string]>;
/** What was sent to it. */
let sent: Record<string, string>;
/** The methods that its CORS rules let browsers use. */
let allowedMethods: string;

const ALLOWED = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
const storage = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage');
  const rules = ['cors', 'lifecycle'].find((name) => searchParams.has(name));
  const call = `${request.method} ${rules ?? pathname.split('/')[1]}`;
  let body = '';
  for await (const chunk of request) body += chunk;
  sent[call] = body;
  const [status, answer] = answers[call] ?? [501];
  const isPreflight = request.method === 'OPTIONS';
  const allowed = { ...ALLOWED, 'access-control-allow-methods': allowedMethods };
  response.writeHead(isPreflight ? 204 : status, isPreflight ? allowed : {}).end(answer);
});

let restore: () => Promise<unknown>;
beforeAll(async () => {
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
  const S3_ENDPOINT = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
  restore = await useFreshDatabase({
    settings: { S3_ENDPOINT, S3_BUCKET: 'videos', S3_FORCE_PATH_STYLE: '1' },
  });
});
afterAll(async () => {
  await restore();
  storage.closeAllConnections();
  await new Promise((resolve) => storage.close(resolve));
});
beforeEach(() => {
  sent = {};
  allowedMethods = '';
  // What this process has found out about storage.
  Object.assign(perProcess('form-uploads', Object), { detected: undefined });
});

async function setUp() {
  const lines: string[] = [];
  const isUsable = await setUpBucket((line) => lines.push(line));
  return { isUsable, said: lines.join('\n') };
}

it('creates the bucket, and adds rules to those that are there', async () => {
  const other = (rule: string, name: string) => `<${name}>${rule}</${name}>`;
  answers = {
    'HEAD videos': [404],
    'PUT videos': [200],
    'GET cors': [
      200,
      other(
        '<CORSRule><AllowedOrigin>https://other.site</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>',
        'CORSConfiguration',
      ),
    ],
    'PUT cors': [200],
    'GET lifecycle': [
      200,
      other(
        '<Rule><ID>other</ID><Status>Enabled</Status><Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>1</Days></Expiration></Rule>' +
          '<Rule><ID>off</ID><Status>Disabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>',
        'LifecycleConfiguration',
      ),
    ],
    'PUT lifecycle': [200],
  };
  const { isUsable, said } = await setUp();
  expect(isUsable, said).toBe(true);
  expect(sent).toHaveProperty('PUT videos');
  expect(sent['PUT cors']).toMatch(
    /other\.site.*<AllowedMethod>GET<.*<AllowedMethod>PUT<.*<AllowedOrigin>http:\/\/localhost.*content-range/,
  );
  expect(sent['PUT lifecycle']).toMatch(/<ID>other<.*<ID>off<.*<DaysAfterInitiation>7</);
});

it('changes nothing where browsers may upload already and unfinished uploads are removed', async () => {
  allowedMethods = 'GET, PUT';
  const rule =
    '<Rule><Status>Enabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>';
  answers = {
    'HEAD videos': [200],
    'GET lifecycle': [200, `<LifecycleConfiguration>${rule}</LifecycleConfiguration>`],
  };
  expect(await setUp()).toMatchObject({ isUsable: true });
  expect(Object.keys(sent).filter((call) => /^PUT (cors|lifecycle)/.test(call))).toEqual([]);
});

it('lets browsers send forms where storage takes them, and where it doesn’t say', async () => {
  allowedMethods = 'GET, PUT';
  const rules = { 'HEAD videos': [200], 'GET cors': [200], 'PUT cors': [200] } as typeof answers;
  answers = { ...rules, 'POST videos': [400, '<Error><Code>EntityTooLarge</Code></Error>'] };
  expect(await setUp()).toMatchObject({ isUsable: true });
  expect(sent['PUT cors']).toMatch(/<AllowedMethod>POST</);
  expect(sent['PUT cors']).toMatch(/<AllowedHeader>content-type</);
  allowedMethods = 'GET, PUT, POST';
  sent = {};
  await setUp();
  expect(sent).not.toHaveProperty('PUT cors');
  // A key that may change rules, and nothing else.
  Object.assign(perProcess('form-uploads', Object), { detected: undefined });
  answers = { ...rules, 'POST videos': [403], 'PUT videos': [403] };
  allowedMethods = '';
  await setUp();
  expect(sent['PUT cors']).toMatch(/<AllowedMethod>POST</);
});

it('extends rules that only let browsers upload', async () => {
  allowedMethods = 'PUT';
  // It takes objects, and no forms.
  const objects = { 'PUT videos': [200], 'DELETE videos': [204] } as typeof answers;
  answers = { 'HEAD videos': [200], 'GET cors': [200], 'PUT cors': [200], ...objects };
  expect(await setUp()).toMatchObject({ isUsable: true });
  expect(sent['PUT cors']).toMatch(/<AllowedMethod>GET<.*<AllowedHeader>range</);
  expect(sent['PUT cors']).not.toMatch(/POST/);
});

it('fails where nothing lets browsers upload, but needs no lifecycle rules', async () => {
  answers = { 'HEAD videos': [200] };
  expect(await setUp()).toEqual({
    isUsable: false,
    said: expect.stringMatching(/✗ .*docs\/storage\.md.*\n– /),
  });
  allowedMethods = 'GET, PUT';
  expect(await setUp()).toMatchObject({ isUsable: true });
});

it('stops if the key may not create the bucket', async () => {
  answers = { 'HEAD videos': [404], 'PUT videos': [403] };
  expect(await setUp()).toEqual({
    isUsable: false,
    said: expect.stringMatching(/^✗ .*may not create buckets.*$/),
  });
  expect(sent).not.toHaveProperty('PUT cors');
});
