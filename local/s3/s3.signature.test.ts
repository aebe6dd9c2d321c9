import { createHash } from 'node:crypto';
import { request } from 'node:http';
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
  test('work for PUT and GET', async () => {
    const put = await getSignedUrl(target.client(), new PutObjectCommand(where));
    expect((await fetch(put, { method: 'PUT', body: 'presigned' })).status).toBe(200);
    const got = await fetch(await getSignedUrl(target.client(), new GetObjectCommand(where)));
    expect(await got.text()).toBe('presigned');
  });

  test.each([
    ['its signature', (url: URL) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
    ['its key', (url: URL) => Object.assign(url, { pathname: `${url.pathname}x` })],
    ['its lifetime', (url: URL) => url.searchParams.set('X-Amz-Expires', '604800')],
    ['a parameter', (url: URL) => url.searchParams.set('response-content-type', 'text/html')],
  ])('are refused when %s is altered', async (_, alter) => {
    const url = new URL(await getSignedUrl(target.client(), new GetObjectCommand(where)));
    alter(url);
    const response = await fetch(url);
    expect([response.status, await readErrorCode(response)]).toEqual([403, 'SignatureDoesNotMatch']);
  });

  test('are refused for another method', async () => {
    const url = await getSignedUrl(target.client(), new GetObjectCommand(where));
    const response = await fetch(url, { method: 'PUT', body: 'x' });
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

  test('enforce the signed type and length', async () => {
    const url = await getSignedUrl(
      target.client(),
      new PutObjectCommand({ ...where, ContentType: 'video/mp4', ContentLength: 4 }),
      { signableHeaders: new Set(['content-type', 'content-length', 'host']) },
    );
    const put = (type: string, body: string) =>
      fetch(url, { method: 'PUT', headers: { 'content-type': type }, body }).then(
        (response) => response.status,
      );
    expect(await put('text/html', '1234')).toBe(403);
    expect(await put('video/mp4', '12345')).toBe(403);
    expect(await exists()).toBe(false);
    expect(await put('video/mp4', '1234')).toBe(200);
  });
});

test('100 Continue comes before the body, and a refusal replaces it', async () => {
  const attempt = async (headers: Record<string, string>) => {
    let continued = false;
    const { hostname, port, pathname } = new URL(`${target.endpoint}/${where.Bucket}/${where.Key}`);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const put = request({
        host: hostname,
        port,
        path: pathname,
        method: 'PUT',
        headers: { ...headers, expect: '100-continue', 'content-length': '4' },
      });
      put.on('continue', () => {
        continued = true;
        put.end('body');
      });
      put.on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
        if (!continued) put.destroy();
      });
      put.on('error', reject);
      put.on('close', () => resolve(undefined));
      put.flushHeaders();
    });
    return { status, continued };
  };
  const signed = await sign({ method: 'PUT', payload: 'UNSIGNED-PAYLOAD' });
  expect(await attempt(signed.headers)).toEqual({ status: 200, continued: true });
  expect((await attempt({ ...signed.headers, authorization: 'none' })).continued).toBe(false);
});
