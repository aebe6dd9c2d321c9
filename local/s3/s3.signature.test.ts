import { createHash } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestTarget, readErrorCode, type TestTarget } from './test-target';

let target: TestTarget;
let where: { Bucket: string; Key: string };
beforeAll(async () => {
  target = await openTestTarget();
});
beforeEach(({ task }) => {
  where = { Bucket: target.bucket, Key: target.key(task.id) };
});
afterAll(() => target.close());

const sign = (options: Parameters<TestTarget['sign']>[1]) => target.sign(where.Key, options);

const exists = () =>
  target
    .client()
    .send(new HeadObjectCommand(where))
    .then(
      () => true,
      () => false,
    );

describe('wrongly signed requests', () => {
  test('are refused without a signature', async () => {
    const response = await fetch(`${target.endpoint}/${where.Bucket}/${where.Key}`, {
      method: 'PUT',
      body: 'x',
    });
    expect([response.status, await readErrorCode(response)]).toEqual([403, 'AccessDenied']);
  });

  test.each([
    ['another secret', { secretAccessKey: 'other' }, 'SignatureDoesNotMatch'],
    ['another key', { accessKeyId: 'AKIDUNKNOWN' }, 'InvalidAccessKeyId'],
  ])('are refused with %s', async (_, credentials, name) => {
    const { accessKeyId, secretAccessKey } = target;
    const client = target.client({ credentials: { accessKeyId, secretAccessKey, ...credentials } });
    await expect(client.send(new PutObjectCommand({ ...where, Body: 'x' }))).rejects.toMatchObject({
      name,
      $metadata: expect.objectContaining({ httpStatusCode: 403 }),
    });
    expect(await exists()).toBe(false);
  });

  test('are refused for another region', async () => {
    const client = target.client({ region: 'ap-south-2' });
    await expect(client.send(new PutObjectCommand({ ...where, Body: 'x' }))).rejects.toMatchObject({
      name: 'AuthorizationHeaderMalformed',
    });
  });

  test.each([-16, 16])('are refused when the clock is %i minutes off', async (minutes) => {
    const signed = await sign({ method: 'GET', date: new Date(Date.now() + minutes * 60_000) });
    const response = await fetch(signed.url, signed);
    expect([response.status, await readErrorCode(response)]).toEqual([403, 'RequestTimeTooSkewed']);
  });

  test('are refused with an unsigned header added', async () => {
    const signed = await sign({ method: 'PUT', payload: 'UNSIGNED-PAYLOAD' });
    const headers = { ...signed.headers, 'x-amz-meta-added': '1' };
    const response = await fetch(signed.url, { method: 'PUT', headers, body: 'x' });
    expect(response.status).toBe(403);
    expect(await exists()).toBe(false);
  });

  test("are refused when the body isn't the signed one", async () => {
    const payload = createHash('sha256').update('meant').digest('hex');
    const signed = await sign({ method: 'PUT', payload });
    const response = await fetch(signed.url, { ...signed, body: 'other' });
    expect([response.status, await readErrorCode(response)]).toEqual([400, 'XAmzContentSHA256Mismatch']);
    expect(await exists()).toBe(false);
  });
});

describe('presigned URLs', () => {
  const CACHE = 'private, max-age=3600';
  test.each<[string, (url: URL) => unknown, string?]>([
    ['its signature', (url) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
    ['its key', (url) => Object.assign(url, { pathname: `${url.pathname}x` })],
    ['its lifetime', (url) => url.searchParams.set('X-Amz-Expires', '604800')],
    ['an override', (url) => url.searchParams.set('response-cache-control', 'public')],
    ['an added override', (url) => url.searchParams.set('response-content-type', 'text/html')],
    ['the method', () => undefined, 'PUT'],
  ])('are refused when %s is changed', async (_, change, method = 'GET') => {
    const command = new GetObjectCommand({ ...where, ResponseCacheControl: CACHE });
    const url = new URL(await getSignedUrl(target.client(), command));
    change(url);
    const response = await fetch(url, { method, ...(method === 'PUT' && { body: 'x' }) });
    expect(response.headers.get('cache-control') ?? '').not.toContain('public');
    expect([response.status, await readErrorCode(response)]).toEqual([403, 'SignatureDoesNotMatch']);
  });

  test('expire', async () => {
    const signingDate = new Date(Date.now() - 3601_000);
    const url = await getSignedUrl(target.client(), new GetObjectCommand(where), {
      expiresIn: 3600,
      signingDate,
    });
    const response = await fetch(url);
    const text = await response.text();
    expect(response.status).toBe(403);
    expect(text).toContain('<Code>AccessDenied</Code><Message>Request has expired</Message>');
  });

  test('enforce the signed length and MD5', async () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('base64');
    const command = new PutObjectCommand({ ...where, ContentLength: 4, ContentMD5: md5('1234') });
    const signableHeaders = new Set(['host', 'content-length', 'content-md5']);
    const url = await getSignedUrl(target.client(), command, { signableHeaders });
    const put = async (body: string, sum = md5('1234')) =>
      (await fetch(url, { method: 'PUT', headers: { 'content-md5': sum }, body })).status;
    expect(await put('12345')).toBe(403);
    expect(await put('4321', md5('4321'))).toBe(403);
    expect(await put('4321')).toBe(400);
    expect(await exists()).toBe(false);
    expect(await put('1234')).toBe(200);
  });
});
