import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import { Sha256 } from '@aws-crypto/sha256-js';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { SignatureV4 } from '@smithy/signature-v4';
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

const exists = () =>
  target
    .client()
    .send(new HeadObjectCommand(where))
    .then(
      () => true,
      () => false,
    );

describe('requests that are not signed rightly', () => {
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

  test('are refused with a header of meaning added', async () => {
    const signed = await sign({ method: 'PUT', payload: 'UNSIGNED-PAYLOAD' });
    const headers = { ...signed.headers, 'x-amz-meta-added': '1' };
    const response = await fetch(signed.url, { method: 'PUT', headers, body: 'x' });
    expect(response.status).toBe(403);
    expect(await exists()).toBe(false);
  });

  test('are refused when the body is not the one that was hashed', async () => {
    const payload = createHash('sha256').update('meant').digest('hex');
    const signed = await sign({ method: 'PUT', payload });
    const response = await fetch(signed.url, { ...signed, body: 'other' });
    expect([response.status, await readErrorCode(response)]).toEqual([400, 'XAmzContentSHA256Mismatch']);
    expect(await exists()).toBe(false);
  });
});

describe('presigned addresses', () => {
  test('work for PUT and GET', async () => {
    const put = await getSignedUrl(target.client(), new PutObjectCommand({ ...where, Metadata: { a: '1' } }));
    expect((await fetch(put, { method: 'PUT', body: 'presigned' })).status).toBe(200);
    const got = await fetch(await getSignedUrl(target.client(), new GetObjectCommand(where)));
    expect([await got.text(), got.headers.get('x-amz-meta-a')]).toEqual(['presigned', '1']);
  });

  test.each([
    ['its signature', (url: URL) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
    ['its key', (url: URL) => Object.assign(url, { pathname: `${url.pathname}x` })],
    ['its life', (url: URL) => url.searchParams.set('X-Amz-Expires', '604800')],
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

  test('hold the type and length that were signed', async () => {
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

describe('aws-chunked bodies', () => {
  const data = ['a'.repeat(70_000), 'b'.repeat(8192), 'c'];

  test.each([false, true])('with signed chunks (trailer: %s) are checked and decoded', async (trailer) => {
    const stored = await putChunked({ signed: true, trailer });
    expect(stored).toEqual({ status: 200, code: undefined });
    const got = await target.client().send(new GetObjectCommand(where));
    expect(got.ContentEncoding).toBeUndefined();
    expect(await got.Body?.transformToString()).toBe(data.join(''));
  });

  test('without signed chunks are decoded, and their trailing checksum is checked', async () => {
    expect(await putChunked({ signed: false, trailer: true })).toEqual({ status: 200, code: undefined });
    const got = await target.client().send(new GetObjectCommand(where));
    expect(await got.Body?.transformToString()).toBe(data.join(''));
  });

  test.each([
    [
      'data altered under a signature',
      { signed: true, trailer: false, alterData: true },
      'SignatureDoesNotMatch',
    ],
    ['a trailing checksum that is wrong', { signed: false, trailer: true, alterData: true }, 'BadDigest'],
    [
      'a trailer altered under a signature',
      { signed: true, trailer: true, alterTrailer: true },
      'SignatureDoesNotMatch',
    ],
    ['the last chunk left out', { signed: true, trailer: false, leaveOut: true }, 'IncompleteBody'],
  ])('with %s leave nothing', async (_, options, code) => {
    expect((await putChunked(options)).code).toBe(code);
    expect(await exists()).toBe(false);
  });

  type Options = {
    signed: boolean;
    trailer: boolean;
    alterData?: boolean;
    alterTrailer?: boolean;
    leaveOut?: boolean;
  };

  /** Puts `data` as the chunked encoding of the S3 API reference, written out by hand. */
  async function putChunked({ signed: chunksSigned, trailer, alterData, alterTrailer, leaveOut }: Options) {
    const payload = chunksSigned
      ? `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer ? '-TRAILER' : ''}`
      : 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
    const signed = await sign({
      method: 'PUT',
      payload,
      headers: {
        'content-encoding': 'aws-chunked',
        'x-amz-decoded-content-length': String(data.join('').length),
        ...(trailer ? { 'x-amz-trailer': 'x-amz-checksum-sha256' } : {}),
      },
    });
    const date = signed.headers['x-amz-date'] ?? '';
    const scope = `${date.slice(0, 8)}/${target.region}/s3/aws4_request`;
    const key = [date.slice(0, 8), target.region, 's3', 'aws4_request'].reduce<string | Buffer>(
      (parent, part) => createHmac('sha256', parent).update(part).digest(),
      `AWS4${target.secretAccessKey}`,
    );
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    let previous = /Signature=(\w+)/.exec(signed.headers['authorization'] ?? '')?.[1] ?? '';
    let body = '';
    for (const chunk of leaveOut ? data : [...data, '']) {
      const toSign = ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, sha256(''), sha256(chunk)].join(
        '\n',
      );
      previous = createHmac('sha256', key).update(toSign).digest('hex');
      const sent = alterData && chunk === 'c' ? 'x' : chunk;
      body += `${chunk.length.toString(16)}${chunksSigned ? `;chunk-signature=${previous}` : ''}\r\n`;
      if (chunk !== '') body += `${sent}\r\n`;
    }
    if (trailer) {
      const checksum = createHash('sha256').update(data.join('')).digest('base64');
      const line = `x-amz-checksum-sha256:${checksum}`;
      const toSign = ['AWS4-HMAC-SHA256-TRAILER', date, scope, previous, sha256(`${line}\n`)].join('\n');
      const signature = createHmac('sha256', key).update(toSign).digest('hex');
      body += `${line}\r\n`;
      if (chunksSigned) body += `x-amz-trailer-signature:${alterTrailer ? '0'.repeat(64) : signature}\r\n`;
    }
    const response = await fetch(signed.url, { ...signed, body: `${body}\r\n` });
    return { status: response.status, code: await readErrorCode(response) };
  }
});

test('Expect: 100-continue is answered before the body, and a refusal instead of it', async () => {
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

/** Signs a request for the test's key with the SDK's own signer. */
async function sign(options: {
  method: string;
  payload?: string;
  date?: Date;
  headers?: Record<string, string>;
}) {
  const url = new URL(`${target.endpoint}/${where.Bucket}/${where.Key}`);
  const signer = new SignatureV4({
    service: 's3',
    region: target.region,
    credentials: target,
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: true,
  });
  const signed = await signer.sign(
    {
      method: options.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: {
        host: url.host,
        'x-amz-content-sha256': options.payload ?? createHash('sha256').digest('hex'),
        ...options.headers,
      },
    },
    options.date ? { signingDate: options.date } : {},
  );
  const { host: _, ...headers } = signed.headers;
  return { url, method: options.method, headers };
}
