import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLocalServices } from '@/test/services';
import { bucket, s3 } from './storage';
import { headObject, ObjectReplaced } from './storage-objects';
import { readRange } from './storage-ranges';

/** After how many bytes the next answers are cut off. */
let cuts: number[] = [];
/** The ranges that were asked for. */
let asked: (string | undefined)[] = [];
let storage = '';

/** Stands between the app and storage. */
const proxy = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  if (method === 'GET') asked.push(headers.range);
  const onward = request(storage, { method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    const left = method === 'GET' ? cuts.shift() : undefined;
    if (left === undefined) return answer.pipe(outgoing);
    outgoing.flushHeaders();
    answer.once('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left));
      outgoing.socket?.end();
    });
  });
  incoming.pipe(onward);
});

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
  storage = process.env.S3_ENDPOINT ?? '';
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  process.env.S3_ENDPOINT = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await s3().send(new PutObjectCommand({ Bucket: bucket(), Key: 'range', Body: BYTES }));
});
beforeEach(() => {
  [cuts, asked] = [[], []];
});
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await services.end();
});

const BYTES = Buffer.from(Array.from({ length: 200 }, (_, index) => index));
const RANGE = { start: 100, length: 50 };

async function read(version: { key?: string; etag?: string | null }, range = RANGE, signal?: AbortSignal) {
  const chunks: Buffer[] = [];
  for await (const chunk of readRange({ key: 'range', etag: null, ...version }, range, signal))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a range of an object', () => {
  it('is read to the byte, and nothing is asked for if it’s empty', async () => {
    const etag = (await headObject('range'))?.etag ?? '';
    expect(await read({ etag })).toEqual(BYTES.subarray(100, 150));
    expect(await read({}, { start: 199, length: 1 })).toEqual(BYTES.subarray(199));
    expect(await read({}, { start: 7, length: 0 })).toEqual(Buffer.alloc(0));
    expect(asked).toEqual(['bytes=100-149', 'bytes=199-199']);
  });

  it('goes on where its connection breaks, which may happen three times with no byte in between', async () => {
    cuts = [0, 0, 0, 10, 0, 0];
    expect(await read({})).toEqual(BYTES.subarray(100, 150));
    expect(asked).toEqual([...Array(4).fill('bytes=100-149'), ...Array(3).fill('bytes=110-149')]);
  });

  it('is given up when its connection keeps breaking', async () => {
    cuts = [10, ...Array(20).fill(0)];
    await expect(read({})).rejects.toThrow();
    expect(asked).toEqual(['bytes=100-149', ...Array(3).fill('bytes=110-149')]);
  });

  it('isn’t asked for again once nobody wants it', async () => {
    const controller = new AbortController();
    cuts = [10];
    const reader = readRange({ key: 'range', etag: null }, RANGE, controller.signal);
    expect((await reader.next()).value).toHaveLength(10);
    controller.abort();
    await expect(reader.next()).rejects.toThrow();
    expect(asked).toEqual(['bytes=100-149']);
  });

  it('is of that version only, and of an object that has all of it', async () => {
    for (const version of [{ etag: 'another' }, { key: 'nothing' }])
      await expect(read(version)).rejects.toBeInstanceOf(ObjectReplaced);
    // None of it, not even what's there.
    for (const range of [
      { start: 150, length: 51 },
      { start: 200, length: 1 },
    ])
      await expect(readRange({ key: 'range', etag: null }, range).next()).rejects.toBeInstanceOf(
        ObjectReplaced,
      );
  });
});
