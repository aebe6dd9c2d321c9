import { createHash, randomBytes } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestTarget, readErrorCode, type TestTarget } from './test-target';

let target: TestTarget;
beforeAll(async () => {
  target = await openTestTarget();
});
afterAll(() => target.close());

async function put(name: string, body: string | Uint8Array, more = {}) {
  const where = { Bucket: target.bucket, Key: target.key(name) };
  const { ETag = '' } = await target.client().send(new PutObjectCommand({ ...where, Body: body, ...more }));
  const url = await getSignedUrl(target.client(), new GetObjectCommand(where));
  return { where, ETag, url };
}

describe('PutObject and GetObject', () => {
  test('return the bytes and the type, with the MD5 as ETag', async () => {
    const body = randomBytes(300_000);
    const { where, ETag } = await put('whole', body, { ContentType: 'video/webm' });
    expect(ETag).toBe(`"${createHash('md5').update(body).digest('hex')}"`);
    const got = await target.client().send(new GetObjectCommand(where));
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(body)).toBe(true);
    const facts = { ETag, ContentType: 'video/webm', ContentLength: body.length, AcceptRanges: 'bytes' };
    expect(got).toMatchObject(facts);
    expect(await target.client().send(new HeadObjectCommand(where))).toMatchObject(facts);
  });

  test('replace an object atomically while it is being read', async () => {
    const { where } = await put('replaced', Buffer.alloc(8_000_000, 'a'));
    const old = await target.client().send(new GetObjectCommand(where));
    await put('replaced', Buffer.alloc(10, 'b'));
    const bytes = Buffer.from((await old.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.alloc(8_000_000, 'a'))).toBe(true);
    const now = await target.client().send(new GetObjectCommand(where));
    expect(await now.Body?.transformToString()).toBe('bbbbbbbbbb');
  });

  test('answer NoSuchKey, and NotFound without a body to HEAD', async () => {
    const where = { Bucket: target.bucket, Key: target.key('missing') };
    const reading = target.client().send(new GetObjectCommand(where));
    await expect(reading).rejects.toMatchObject({ name: 'NoSuchKey' });
    const url = await getSignedUrl(target.client(), new HeadObjectCommand(where));
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  test('delete an object twice without an error', async () => {
    const { where } = await put('deleted', 'x');
    const client = target.client();
    await client.send(new DeleteObjectCommand(where));
    await client.send(new DeleteObjectCommand(where));
    await expect(client.send(new HeadObjectCommand(where))).rejects.toMatchObject({ name: 'NotFound' });
  });
});

describe('Range', () => {
  const digits = '0123456789';
  test.each([
    ['bytes=0-1', 206, '01', 'bytes 0-1/10'],
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, digits, 'bytes 0-9/10'],
    ['bytes=5-2', 200, digits, null],
    ['lines=1-2', 200, digits, null],
  ])('%s gives %i', async (range, status, text, contentRange) => {
    const { url } = await put('digits', digits);
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  test.each(['bytes=10-', 'bytes=-0', 'bytes=99-100'])('%s cannot be satisfied', async (range) => {
    const { url } = await put('digits', digits);
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(416);
    expect(await readErrorCode(response)).toBe('InvalidRange');
  });

  test('counts with If-Range only for the stored version', async () => {
    const { url, ETag } = await put('digits', digits);
    const same = await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': ETag } });
    expect([same.status, await same.text()]).toEqual([206, '01']);
    const other = await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } });
    expect([other.status, await other.text()]).toEqual([200, digits]);
  });
});

describe('conditions and overrides', () => {
  test.each([
    ['if-none-match', 'the ETag', 304],
    ['if-none-match', '"other"', 200],
  ])('%s with %s gives %i', async (name, value, status) => {
    const { url, ETag } = await put('conditional', 'x');
    const sent = value === 'the ETag' ? ETag : value;
    expect((await fetch(url, { headers: { [name]: sent } })).status).toBe(status);
  });

  test('If-Match reads the version it names and no other, by GET and by HEAD', async () => {
    const client = target.client();
    const { where, ETag } = await put('pinned', 'first');
    const first = { ...where, IfMatch: ETag };
    expect(await (await client.send(new GetObjectCommand(first))).Body?.transformToString()).toBe('first');
    expect((await client.send(new HeadObjectCommand(first))).ContentLength).toBe(5);
    await put('pinned', 'second');
    const refused = { $metadata: { httpStatusCode: 412 } };
    await expect(client.send(new GetObjectCommand(first))).rejects.toMatchObject({
      name: 'PreconditionFailed',
      ...refused,
    });
    await expect(client.send(new HeadObjectCommand(first))).rejects.toMatchObject(refused);
  });

  test('a presigned URL overrides the type, name and Cache-Control, also of a range and a 304', async () => {
    const CACHE = 'private, max-age=3600';
    const { where, ETag } = await put('overridden', '0123456789', { ContentType: 'video/mp4' });
    const NAME = `attachment; filename="caf_ 'a'.webm"; filename*=UTF-8''caf%C3%A9%20%27a%27.webm`;
    const overrides = {
      ResponseContentType: 'video/webm',
      ResponseContentDisposition: NAME,
      ResponseCacheControl: CACHE,
    };
    const url = await getSignedUrl(target.client(), new GetObjectCommand({ ...where, ...overrides }));
    for (const [status, headers] of [
      [200, {}],
      [206, { range: 'bytes=2-4' }],
      [304, { 'if-none-match': ETag }],
    ] as const) {
      const response = await fetch(url, { headers });
      expect([response.status, response.headers.get('cache-control')]).toEqual([status, CACHE]);
      if (status !== 304) {
        expect(response.headers.get('content-type')).toBe('video/webm');
        expect(response.headers.get('content-disposition')).toBe(NAME);
      }
      await response.text();
    }
  });
});
