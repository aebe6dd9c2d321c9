import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startS3 } from './server';
import { createS3Client, startServerProcess, TEST_SERVER_OPTIONS, usesExternalServer } from './test-target';

const where = { Bucket: TEST_SERVER_OPTIONS.bucket, Key: 'entry/original' };
const MB = 1_000_000;

let dir: string;
const cleanUp: (() => unknown)[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'storage-'));
});
afterEach(async () => {
  for (const task of cleanUp.splice(0).reverse()) await task();
  await rm(dir, { recursive: true, force: true });
});

function clientOf(endpoint: string): S3Client {
  const client = createS3Client(endpoint, TEST_SERVER_OPTIONS);
  cleanUp.push(() => client.destroy());
  return client;
}

async function startHere() {
  const server = await startS3({ dir, ...TEST_SERVER_OPTIONS });
  cleanUp.push(() => server.close());
  return { ...server, client: clientOf(server.url) };
}

/** Returns a Node whose files can't grow above a limit, which looks like a full disk to a program. */
async function limitedNode(kilobytes: number): Promise<string> {
  const path = join(dir, 'limited-node');
  // The shell counts blocks of 512 bytes.
  const script = `#!/bin/sh\nulimit -f ${kilobytes * 2}\nexec "${process.execPath}" "$@"\n`;
  await writeFile(path, script, { mode: 0o700 });
  return path;
}

async function startProcess(execPath?: string) {
  const server = await startServerProcess(dir, execPath);
  cleanUp.push(server.kill);
  return { ...server, client: clientOf(server.url) };
}

const text = async (client: S3Client) =>
  (await client.send(new GetObjectCommand(where))).Body?.transformToString() as Promise<string>;

const NOTHING = { blobs: 0, temporary: 0 };
const bucketFolder = (name: string) => join(dir, 'buckets', TEST_SERVER_OPTIONS.bucket, name);
const leftovers = async () => ({
  blobs: (await readdir(bucketFolder('blobs'))).length,
  temporary: (await readdir(bucketFolder('temporary'))).length,
});

async function bytesOnDisk(): Promise<number> {
  const names = await readdir(bucketFolder('blobs'));
  const files = await Promise.all(names.map((name) => stat(join(bucketFolder('blobs'), name))));
  return files.reduce((sum, { size }) => sum + size, 0);
}

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000 });

/** Yields bytes that are made while they're sent. */
function* generate(size: number) {
  const chunk = Buffer.alloc(256 * 1024, 'daylight');
  for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

/** Announces `size` bytes and sends only some of them. Returns a function that cuts the connection. */
async function sendPart(url: string, options: RequestOptions, size: number, body: Iterable<Buffer>) {
  const outgoing = request(url, { ...options, headers: { ...options.headers, 'content-length': size } });
  const closed = new Promise((resolve) => outgoing.on('close', resolve));
  outgoing.on('error', () => undefined);
  for (const chunk of body) if (!outgoing.write(chunk)) await once(outgoing, 'drain');
  return async () => {
    outgoing.destroy();
    await closed;
  };
}

async function signForm(client: S3Client, size: number) {
  const Conditions = [['content-length-range', 1, 10 ** 10] as ['content-length-range', number, number]];
  const { url, fields } = await createPresignedPost(client, { ...where, Conditions });
  const part = (disposition: string) => `--limit\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const lines = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`);
  const head = Buffer.from(`${lines.join('')}${part('name="file"; filename="a.mp4"')}`);
  const tail = Buffer.from('\r\n--limit--\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary=limit' };
  return { url, headers, head, tail, size: head.length + size + tail.length };
}

/** Uploads `size` bytes with a form. */
async function postForm(client: S3Client, size: number): Promise<Response> {
  const form = await signForm(client, size);
  const body = Readable.from([form.head, ...generate(size), form.tail]);
  const headers = { ...form.headers, 'content-length': String(form.size) };
  const init = { method: 'POST', headers, body: Readable.toWeb(body), duplex: 'half' };
  return fetch(form.url, init as RequestInit);
}

describe.skipIf(usesExternalServer)('the stand-in on disk', () => {
  test.each([10, 50, 90])('a connection cut after %i percent leaves nothing', async (percent) => {
    const { client } = await startHere();
    const size = 20 * MB;
    const sent = (size * percent) / 100;
    const put = await getSignedUrl(client, new PutObjectCommand(where));
    const form = await signForm(client, size);
    const post = { method: 'POST', headers: form.headers };
    const cuts = [
      await sendPart(put, { method: 'PUT' }, size, generate(sent)),
      await sendPart(form.url, post, form.size, [form.head, ...generate(sent)]),
    ];
    await eventually(async () => expect(await bytesOnDisk()).toBeGreaterThan(2 * sent - MB));
    for (const cut of cuts) await cut();
    await eventually(async () => expect(await leftovers()).toEqual(NOTHING));
    await expect(client.send(new HeadObjectCommand(where))).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('replaced, deleted and refused objects leave no bytes behind', async () => {
    const { client } = await startHere();
    for (const Body of ['one', 'two']) await client.send(new PutObjectCommand({ ...where, Body }));
    expect(await leftovers()).toEqual({ blobs: 1, temporary: 0 });
    await client.send(new DeleteObjectCommand(where));
    expect(await leftovers()).toEqual(NOTHING);
    expect(await readdir(bucketFolder('objects'))).toEqual([]);
    const bad = { ...where, Body: 'x', ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' };
    await expect(client.send(new PutObjectCommand(bad))).rejects.toMatchObject({ name: 'BadDigest' });
    expect(await leftovers()).toEqual(NOTHING);
  });

  test('kill -9 while an object is replaced keeps the old one, and the next start cleans up', async () => {
    const first = await startProcess();
    await first.client.send(new PutObjectCommand({ ...where, Body: 'old' }));
    const url = await getSignedUrl(first.client, new PutObjectCommand(where));
    const cut = await sendPart(url, { method: 'PUT' }, 20 * MB, generate(10 * MB));
    await eventually(async () => expect((await leftovers()).blobs).toBe(2));
    await first.kill();
    await cut();
    const second = await startProcess();
    expect(await text(second.client)).toBe('old');
    expect(await leftovers()).toEqual({ blobs: 1, temporary: 0 });
  });

  test('kill -9 at any moment loses nothing that was acknowledged', async () => {
    let acknowledged = -1;
    for (let round = 0; round < 5; round++) {
      const { client, kill } = await startProcess();
      if (acknowledged >= 0) {
        const found = await text(client);
        const version = Number.parseInt(found, 10);
        expect(found).toBe(`${version} `.repeat(20_000));
        expect(version).toBeGreaterThanOrEqual(acknowledged);
        acknowledged = version;
      }
      const stop = acknowledged + 3 + round * 2;
      for (let version = acknowledged + 1; ; version++) {
        const write = client.send(new PutObjectCommand({ ...where, Body: `${version} `.repeat(20_000) }));
        if (version === stop) {
          await Promise.all([kill(), write.catch(() => undefined)]);
          break;
        }
        await write;
        acknowledged = version;
      }
    }
    expect(acknowledged).toBeGreaterThan(20);
    await startProcess();
    expect(await leftovers()).toEqual({ blobs: 1, temporary: 0 });
  });

  test.each(['between two parts', 'before a completed upload was deleted'])(
    'a multipart upload survives a restart %s',
    async (when) => {
      const first = await startHere();
      const { UploadId } = await first.client.send(new CreateMultipartUploadCommand(where));
      const part = { ...where, UploadId, PartNumber: 1 };
      const { ETag } = await first.client.send(new UploadPartCommand({ ...part, Body: 'kept' }));
      const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
      const complete = new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload });
      const isCompleted = when !== 'between two parts';
      await cp(bucketFolder('uploads'), join(dir, 'saved'), { recursive: true });
      if (isCompleted) await first.client.send(complete);
      await first.close();
      await cp(join(dir, 'saved'), bucketFolder('uploads'), { recursive: true });
      const { client } = await startHere();
      if (!isCompleted) await client.send(complete);
      const listed = await client.send(new ListMultipartUploadsCommand({ Bucket: where.Bucket }));
      expect(listed.Uploads ?? []).toEqual([]);
      expect(await text(client)).toBe('kept');
    },
  );

  test("a folder in use can't be served twice, and can be again after a kill", async () => {
    const first = await startProcess();
    await expect(startS3({ dir, ...TEST_SERVER_OPTIONS })).rejects.toThrow('already served');
    await first.kill();
    await startHere();
  });

  test('streams 300 MB by PUT, POST and GET without buffering it', async () => {
    const { client, peak } = await startProcess();
    const size = 300 * MB;
    const stream = async (bytes: number) => {
      const Body = Readable.from(generate(bytes));
      await client.send(new PutObjectCommand({ ...where, Body, ContentLength: bytes }));
      expect((await postForm(client, bytes)).status).toBe(204);
      const got = await client.send(new GetObjectCommand(where));
      let received = 0;
      for await (const chunk of got.Body as Readable) received += chunk.length;
      expect(received).toBe(bytes);
    };
    await stream(30 * MB);
    const before = await peak();
    await stream(size);
    expect((await peak()) - before).toBeLessThan(size / 4);
  });

  test.skipIf(process.platform === 'win32')(
    'a full disk is an error that leaves nothing behind',
    async () => {
      const { client } = await startProcess(await limitedNode(1024));
      const tooMuch = new PutObjectCommand({ ...where, Body: Buffer.alloc(3 * MB) });
      await expect(client.send(tooMuch)).rejects.toMatchObject({ name: 'InsufficientStorage' });
      const post = await postForm(client, 3 * MB);
      expect([post.status, await post.text()]).toEqual([507, expect.stringContaining('InsufficientStorage')]);
      expect(await leftovers()).toEqual(NOTHING);
      await client.send(new PutObjectCommand({ ...where, Body: 'small' }));
      expect(await text(client)).toBe('small');
    },
  );
});
