import { createHash, randomBytes } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestTarget, type TestTarget, usesExternalServer } from './test-target';

let target: TestTarget;
let where: { Bucket: string; Key: string };
beforeAll(async () => {
  target = await openTestTarget();
});
beforeEach(({ task }) => {
  where = { Bucket: target.bucket, Key: target.key(task.id) };
});
afterAll(() => target.close());

const TYPE = 'video/mp4';

/** Signs what the app signs: this key, this type, 1 to 1,000 bytes. */
async function presign(options: Partial<PresignedPostOptions> = {}) {
  return createPresignedPost(target.client(), {
    ...where,
    Conditions: [['content-length-range', 1, 1000]],
    Fields: { 'Content-Type': TYPE },
    Expires: 3600,
    ...options,
  });
}

type Fields = [name: string, value: string | Blob][];

async function post(url: string, fields: Record<string, string>, file: Blob | string, after: Fields = []) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', typeof file === 'string' ? new Blob([file], { type: TYPE }) : file, 'day one.mp4');
  for (const [name, value] of after) form.append(name, value);
  const response = await fetch(url, { method: 'POST', body: form });
  const text = await response.text();
  const find = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return { status: response.status, code: find('Code'), message: find('Message'), headers: response.headers };
}

const head = () =>
  target
    .client()
    .send(new HeadObjectCommand(where))
    .catch(() => undefined);

test('stores a file of any size when the form matches its policy', async () => {
  const { url, fields } = await presign();
  const answer = await post(url, { ...fields }, 'x'.repeat(1000));
  expect(answer.status).toBe(204);
  expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await head()).toMatchObject({ ContentType: TYPE, ContentLength: 1000 });

  const large = await presign({ Conditions: [['content-length-range', 1, 50_000_000]] });
  const body = randomBytes(20_000_000);
  expect(await post(large.url, large.fields, new Blob([body]))).toMatchObject({ status: 204 });
  const got = await target.client().send(new GetObjectCommand(where));
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(body)).toBe(true);
});

test.each([
  ['one byte too large', 'x'.repeat(1001), 'EntityTooLarge'],
  ['far too large', 'x'.repeat(30_000_000), 'EntityTooLarge'],
  ['empty', '', 'EntityTooSmall'],
])('a file that is %s is refused', async (_, file, code) => {
  const { url, fields } = await presign();
  expect(await post(url, fields, file)).toMatchObject({ status: 400, code });
  expect(await head()).toBeUndefined();
});

test.each([
  ['another type', { 'Content-Type': 'text/html' }, /^Invalid according to Policy: Policy Condition failed/],
  ['another key', { key: 'contract/stolen' }, /^Invalid according to Policy: Policy Condition failed/],
  [
    'an extra field',
    { 'x-amz-meta-extra': '1' },
    /^Invalid according to Policy: Extra input fields: x-amz-meta-extra/,
  ],
])('%s is refused', async (_, change, message) => {
  const { url, fields } = await presign();
  const answer = await post(url, { ...fields, ...change }, 'x');
  expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' });
  expect(answer.message?.replaceAll('&quot;', '"')).toMatch(message);
  expect(await head()).toBeUndefined();
});

test('a form without a field that the policy requires is refused', async () => {
  const { url, fields } = await presign();
  const { 'Content-Type': _, ...rest } = fields;
  expect(await post(url, rest, 'x')).toMatchObject({ status: 403, code: 'AccessDenied' });
});

// Some servers ignore it, so the app also compares what has arrived.
test.skipIf(usesExternalServer)('a form takes only the bytes of its Content-MD5', async () => {
  const md5 = createHash('md5').update('right').digest('base64');
  const { url, fields } = await presign({ Fields: { 'Content-Type': TYPE, 'Content-MD5': md5 } });
  expect(await post(url, fields, 'wrong')).toMatchObject({ status: 400, code: 'BadDigest' });
  const { 'Content-MD5': _, ...rest } = fields;
  expect(await post(url, rest, 'right')).toMatchObject({ status: 403, code: 'AccessDenied' });
  expect(await head()).toBeUndefined();
  expect(await post(url, fields, 'right')).toMatchObject({ status: 204 });
  const bad = await presign({ Fields: { 'Content-Type': TYPE, 'Content-MD5': 'AAAA' } });
  expect(await post(bad.url, bad.fields, 'right')).toMatchObject({ status: 400, code: 'InvalidDigest' });
});

test('an altered policy or signature is refused', async () => {
  const { url, fields } = await presign();
  const policy = JSON.parse(Buffer.from(fields['Policy'] ?? '', 'base64').toString('utf8'));
  policy.conditions = policy.conditions.map((one: unknown) =>
    Array.isArray(one) ? ['content-length-range', 0, 10_000_000_000] : one,
  );
  const Policy = Buffer.from(JSON.stringify(policy)).toString('base64');
  expect(await post(url, { ...fields, Policy }, 'x')).toMatchObject({
    status: 403,
    code: 'SignatureDoesNotMatch',
  });
  const forged = { ...fields, 'X-Amz-Signature': '0'.repeat(64) };
  expect(await post(url, forged, 'x')).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
  const stranger = {
    ...fields,
    'X-Amz-Credential': (fields['X-Amz-Credential'] ?? '').replace(/^[^/]*/, 'AKIDX'),
  };
  expect(await post(url, stranger, 'x')).toMatchObject({ status: 403, code: 'InvalidAccessKeyId' });
  expect(await post(url, { key: where.Key }, 'x')).toMatchObject({ status: 403, code: 'AccessDenied' });
  expect(await head()).toBeUndefined();
});

test('an expired policy is refused', async () => {
  const { url, fields } = await presign({ Expires: -1 });
  const answer = await post(url, fields, 'x');
  expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' });
  expect(answer.message).toBe('Invalid according to Policy: Policy expired.');
});

test('a policy for another bucket is refused', async () => {
  const { fields } = await presign({ Bucket: 'other-bucket' });
  const answer = await post(`${target.endpoint}/${target.bucket}`, fields, 'x');
  expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' });
});

test('ignores fields after the file', async () => {
  const { url, fields } = await presign();
  const after: Fields = [
    ['key', 'contract/late'],
    ['Content-Type', 'text/html'],
  ];
  expect(await post(url, fields, 'x', after)).toMatchObject({ status: 204 });
  expect(await head()).toMatchObject({ ContentType: TYPE });
  const { 'Content-Type': late, ...early } = fields;
  expect(await post(url, early, 'x', [['Content-Type', late ?? '']])).toMatchObject({ status: 403 });
});

test.each([
  ['without a final boundary', (body: string) => body.replace(/--\r\n$/, '')],
  ['without a file', (body: string) => `${body.slice(0, body.lastIndexOf('--limit\r\n'))}--limit--\r\n`],
  ['of nonsense', () => 'nonsense'],
])('a form %s is refused and stores nothing', async (_, change) => {
  const { url, fields } = await presign();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--limit\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--limit\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--limit--\r\n`;
  const send = (body: string) =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=limit' } });
  expect((await send(change(parts.join('') + file))).status).toBe(400);
  expect(await head()).toBeUndefined();
  expect((await send(parts.join('') + file)).status).toBe(204);
});

test('fields of more than 20 KB are refused', async () => {
  const { url, fields } = await presign();
  const answer = await post(url, { ...fields, 'x-amz-meta-long': 'x'.repeat(30_000) }, 'x');
  expect(answer).toMatchObject({ status: 400, code: 'MaxPostPreDataLengthExceeded' });
});
