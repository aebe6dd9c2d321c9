import { Agent, request } from 'node:http';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ALLOWED_ORIGIN,
  openTestTarget,
  readErrorCode,
  type TestTarget,
  usesExternalServer,
} from './test-target';

let target: TestTarget;
let where: { Bucket: string; Key: string };
beforeAll(async () => {
  target = await openTestTarget();
  where = { Bucket: target.bucket, Key: target.key('page') };
  await target.client().send(new PutObjectCommand({ ...where, Body: 'bytes' }));
});
afterAll(() => target.close());

describe('CORS', () => {
  const ask = (origin: string, method: string, asked = 'content-md5', of = target) =>
    fetch(`${of.endpoint}/${of.bucket}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': asked,
      },
    });

  test('answers a preflight for a part from an allowed origin', async () => {
    const response = await ask(ALLOWED_ORIGIN, 'PUT');
    expect(response.status).toBeLessThan(300);
    expect(['*', ALLOWED_ORIGIN]).toContain(response.headers.get('access-control-allow-origin'));
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-md5');
  });

  test('answers a preflight for a file in one piece, as a form or not', async () => {
    const put = await ask(ALLOWED_ORIGIN, 'PUT', 'content-md5,content-type');
    expect(put.status).toBeLessThan(300);
    expect(put.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    const form = await ask(ALLOWED_ORIGIN, 'POST', '');
    expect(form.status).toBeLessThan(300);
    expect(form.headers.get('access-control-allow-methods')).toContain('POST');
  });

  test.skipIf(usesExternalServer)('allows no forms where there are none', async () => {
    const withoutForms = await openTestTarget({ postObject: false });
    const refused = await ask(ALLOWED_ORIGIN, 'POST', '', withoutForms);
    expect(refused.status).toBe(403);
    const put = await ask(ALLOWED_ORIGIN, 'PUT', 'content-type', withoutForms);
    expect(put.headers.get('access-control-allow-methods')).toBe('GET, PUT');
    await withoutForms.close();
  });

  test('answers a preflight for part of a file', async () => {
    const response = await ask(ALLOWED_ORIGIN, 'GET', 'range');
    expect(response.status).toBeLessThan(300);
    expect(response.headers.get('access-control-allow-methods')).toContain('GET');
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('range');
  });

  test('lets an allowed origin read part of a file, and which part and version it is', async () => {
    const url = await getSignedUrl(target.client(), new GetObjectCommand(where));
    const response = await fetch(url, { headers: { origin: ALLOWED_ORIGIN, range: 'bytes=1-2' } });
    expect([response.status, await response.text()]).toEqual([206, 'yt']);
    expect(['*', ALLOWED_ORIGIN]).toContain(response.headers.get('access-control-allow-origin'));
    const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase();
    for (const name of ['content-range', 'etag']) expect(exposed).toContain(name);
  });

  test.skipIf(usesExternalServer)('refuses what the README’s rule doesn’t allow', async () => {
    for (const [method, asked] of [
      ['HEAD', ''],
      ['DELETE', ''],
      ['PUT', 'content-md5,x-amz-acl'],
      ['GET', 'range,if-match'],
    ] as const) {
      const response = await ask(ALLOWED_ORIGIN, method, asked);
      expect([method, response.status]).toEqual([method, 403]);
    }
  });

  test('refuses a preflight from another origin', async () => {
    const response = await ask('https://stranger.example', 'PUT');
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('lets an allowed origin read responses and errors', async () => {
    const url = await getSignedUrl(target.client(), new PutObjectCommand(where));
    for (const [address, status] of [
      [url, 200],
      [`${url}0`, 403],
    ] as const) {
      const response = await fetch(address, {
        method: 'PUT',
        body: 'bytes',
        headers: { origin: ALLOWED_ORIGIN },
      });
      await response.arrayBuffer();
      expect(response.status).toBe(status);
      expect(['*', ALLOWED_ORIGIN]).toContain(response.headers.get('access-control-allow-origin'));
      expect(response.headers.get('vary')).toMatch(/origin/i);
    }
    const stranger = await fetch(url, {
      method: 'PUT',
      body: 'bytes',
      headers: { origin: 'https://stranger.example' },
    });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('never closes an idle connection', async () => {
  const answer = await fetch(`${target.endpoint}/${target.bucket}`);
  expect(answer.headers.get('keep-alive')).toBeNull();
});

test('serves many requests on one connection, even after a refused body', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = new URL(await getSignedUrl(target.client(), new PutObjectCommand(where)));
  const send = (path: string, body: Buffer) =>
    new Promise<{ status: number | undefined; reused: boolean }>((resolve, reject) => {
      const put = request(
        {
          agent,
          host: url.hostname,
          port: url.port,
          path,
          method: 'PUT',
          headers: { 'content-length': body.length },
        },
        (response) =>
          response
            .resume()
            .on('end', () => resolve({ status: response.statusCode, reused: put.reusedSocket })),
      );
      put.on('error', reject);
      put.end(body);
    });
  const good = url.pathname + url.search;
  expect(await send(good, Buffer.from('1'))).toMatchObject({ status: 200 });
  expect(await send(url.pathname, Buffer.alloc(5_000_000))).toMatchObject({ status: 403 });
  expect(await send(good, Buffer.from('bytes'))).toMatchObject({ status: 200 });
  agent.destroy();
});

test("refuses a path that isn't UTF-8, and endless headers", async () => {
  const response = await fetch(`${target.endpoint}/${target.bucket}/%ff`);
  expect(response.status).toBeGreaterThanOrEqual(400);
  const long = await fetch(`${target.endpoint}/${target.bucket}/x`, {
    headers: { 'x-long': 'x'.repeat(60_000) },
  });
  expect(long.status).toBeGreaterThanOrEqual(400);
  expect(long.status).toBeLessThan(500);
  expect(await readErrorCode(await fetch(`${target.endpoint}/${target.bucket}/x`))).toBe('AccessDenied');
});
