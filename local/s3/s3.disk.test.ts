import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startS3 } from './server';
import { TEST_SERVER_OPTIONS, usesExternalServer } from './test-target';

// These look at the disk, and start and kill the server, which only the stand-in allows.
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
  const client = new S3Client({
    endpoint,
    region: TEST_SERVER_OPTIONS.region,
    forcePathStyle: true,
    credentials: TEST_SERVER_OPTIONS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  });
  cleanUp.push(() => client.destroy());
  return client;
}

async function startHere() {
  const server = await startS3({ dir, ...TEST_SERVER_OPTIONS });
  cleanUp.push(() => server.close());
  return { ...server, client: clientOf(server.url) };
}

/** A Node whose files may not grow above a limit: to a program that is a full disk. */
async function limitedNode(kilobytes: number): Promise<string> {
  const path = join(dir, 'limited-node');
  // The shell counts blocks of 512 bytes.
  await writeFile(path, `#!/bin/sh\nulimit -f ${kilobytes * 2}\nexec "${process.execPath}" "$@"\n`, {
    mode: 0o700,
  });
  return path;
}

async function startProcess(options: { maxFileKilobytes?: number } = {}) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'server-process.ts'), [dir], {
    execArgv: ['--import', 'tsx'],
    ...(options.maxFileKilobytes ? { execPath: await limitedNode(options.maxFileKilobytes) } : {}),
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  cleanUp.push(kill);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const peak = async () => {
    child.send('peak');
    const [answer] = (await once(child, 'message')) as [{ peak: number }];
    return answer.peak;
  };
  return { url, kill, peak, client: clientOf(url) };
}

const text = async (client: S3Client) =>
  (await client.send(new GetObjectCommand(where))).Body?.transformToString() as Promise<string>;

const files = async (name: string) => readdir(join(dir, 'buckets', TEST_SERVER_OPTIONS.bucket, name));
const leftovers = async () => ({
  blobs: (await files('blobs')).length,
  temporary: (await files('temporary')).length,
});

async function bytesOnDisk(): Promise<number> {
  const folder = join(dir, 'buckets', TEST_SERVER_OPTIONS.bucket, 'blobs');
  const sizes = await Promise.all(
    (await files('blobs')).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes that are made while they are sent. */
function* generate(size: number) {
  const chunk = Buffer.alloc(256 * 1024, 'daylight');
  for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

/** Announces `size` bytes and sends only some of them; `cut` ends the connection. */
async function sendPart(
  url: string,
  method: string,
  headers: Record<string, string>,
  size: number,
  body: Iterable<Buffer>,
) {
  const outgoing = request(url, { method, headers: { ...headers, 'content-length': size } });
  const closed = new Promise((resolve) => outgoing.on('close', resolve));
  outgoing.on('error', () => undefined);
  for (const chunk of body) if (!outgoing.write(chunk)) await once(outgoing, 'drain');
  return {
    async cut() {
      outgoing.destroy();
      await closed;
    },
  };
}

async function postForm(client: S3Client, size: number) {
  const { url, fields } = await createPresignedPost(client, {
    ...where,
    Conditions: [['content-length-range', 1, 10 ** 10]],
  });
  const part = (disposition: string) => `--limit\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const head = Buffer.from(
    `${Object.entries(fields)
      .map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`)
      .join('')}${part('name="file"; filename="a.mp4"')}`,
  );
  const tail = Buffer.from('\r\n--limit--\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary=limit' };
  return { url, headers, head, tail, size: head.length + size + tail.length };
}

describe.skipIf(usesExternalServer)('on the disk', () => {
  test.each([10, 50, 90])('a connection cut after %i percent leaves nothing', async (percent) => {
    const { client } = await startHere();
    const size = 20 * MB;
    const put = await getSignedUrl(client, new PutObjectCommand(where));
    const sent = (size * percent) / 100;
    const form = await postForm(client, size);
    const connections = [
      await sendPart(put, 'PUT', {}, size, generate(sent)),
      await sendPart(form.url, 'POST', form.headers, form.size, [form.head, ...generate(sent)]),
    ];
    await vi.waitFor(async () => expect(await bytesOnDisk()).toBeGreaterThan(2 * sent - MB), {
      timeout: 20_000,
    });
    for (const connection of connections) await connection.cut();
    await vi.waitFor(async () => expect(await leftovers()).toEqual({ blobs: 0, temporary: 0 }), {
      timeout: 20_000,
    });
    await expect(client.send(new HeadObjectCommand(where))).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('replacing and deleting leave no bytes behind', async () => {
    const { client } = await startHere();
    for (const Body of ['one', 'two']) await client.send(new PutObjectCommand({ ...where, Body }));
    expect(await leftovers()).toEqual({ blobs: 1, temporary: 0 });
    await client.send(new DeleteObjectCommand(where));
    expect(await leftovers()).toEqual({ blobs: 0, temporary: 0 });
    expect(await files('objects')).toEqual([]);
  });

  test('refused uploads leave no bytes behind', async () => {
    const { client } = await startHere();
    const bad = { ...where, Body: 'x', ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' };
    await expect(client.send(new PutObjectCommand(bad))).rejects.toMatchObject({ name: 'BadDigest' });
    expect(await leftovers()).toEqual({ blobs: 0, temporary: 0 });
  });

  test('kill -9 while an object is replaced leaves the old one whole, and the next start sweeps', async () => {
    const first = await startProcess();
    await first.client.send(new PutObjectCommand({ ...where, Body: 'old' }));
    const url = await getSignedUrl(first.client, new PutObjectCommand(where));
    const upload = await sendPart(url, 'PUT', {}, 20 * MB, generate(10 * MB));
    await vi.waitFor(async () => expect((await leftovers()).blobs).toBe(2), { timeout: 20_000 });
    await first.kill();
    await upload.cut();
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
    await startProcess();
    expect(await leftovers()).toEqual({ blobs: 1, temporary: 0 });
  });

  test('a multipart upload goes on after a restart', async () => {
    const first = await startHere();
    const { UploadId } = await first.client.send(new CreateMultipartUploadCommand(where));
    const part = { ...where, UploadId, PartNumber: 1 };
    const { ETag } = await first.client.send(new UploadPartCommand({ ...part, Body: 'kept' }));
    await first.close();
    const { client } = await startHere();
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await client.send(new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload }));
    expect(await text(client)).toBe('kept');
  });

  test('a start after a kill between publishing and forgetting an upload forgets it and keeps its bytes', async () => {
    const first = await startHere();
    const { UploadId } = await first.client.send(new CreateMultipartUploadCommand(where));
    const part = { ...where, UploadId, PartNumber: 1 };
    const { ETag } = await first.client.send(new UploadPartCommand({ ...part, Body: 'kept' }));
    const uploads = join(dir, 'buckets', TEST_SERVER_OPTIONS.bucket, 'uploads');
    await cp(uploads, join(dir, 'saved'), { recursive: true });
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await first.client.send(new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload }));
    await first.close();
    await cp(join(dir, 'saved'), uploads, { recursive: true });
    const { client } = await startHere();
    const listed = await client.send(new ListMultipartUploadsCommand({ Bucket: where.Bucket }));
    expect(listed.Uploads ?? []).toEqual([]);
    expect(await text(client)).toBe('kept');
  });

  test('a folder that is served cannot be served twice, and can again after a kill', async () => {
    const first = await startProcess();
    await expect(startS3({ dir, ...TEST_SERVER_OPTIONS })).rejects.toThrow('already served');
    await first.kill();
    await startHere();
  });

  test('300 MB in and out by PUT, POST and GET take no memory to speak of', async () => {
    const { client, peak } = await startProcess();
    const size = 300 * MB;
    const stream = async (bytes: number) => {
      const url = await getSignedUrl(client, new PutObjectCommand(where));
      const put = await fetch(url, {
        method: 'PUT',
        body: Readable.toWeb(Readable.from(generate(bytes))) as ReadableStream,
        headers: { 'content-length': String(bytes) },
        duplex: 'half',
      } as RequestInit);
      expect(put.status).toBe(200);
      const form = await postForm(client, bytes);
      const post = request(form.url, {
        method: 'POST',
        headers: { ...form.headers, 'content-length': form.size },
      });
      const answered = once(post, 'response');
      await pipeline([form.head, ...generate(bytes), form.tail], post);
      expect((await answered)[0].resume().statusCode).toBe(204);
      const got = await fetch(await getSignedUrl(client, new GetObjectCommand(where)));
      let received = 0;
      for await (const chunk of got.body as ReadableStream<Uint8Array>) received += chunk.length;
      expect(received).toBe(bytes);
    };
    await stream(30 * MB);
    const before = await peak();
    await stream(size);
    expect((await peak()) - before).toBeLessThan(size / 4);
  });

  test.skipIf(process.platform === 'win32')('no room on the disk is told, and nothing is left', async () => {
    const { client } = await startProcess({ maxFileKilobytes: 1024 });
    const tooMuch = new PutObjectCommand({ ...where, Body: Buffer.alloc(3 * MB) });
    await expect(client.send(tooMuch)).rejects.toMatchObject({
      name: 'InsufficientStorage',
      $metadata: expect.objectContaining({ httpStatusCode: 507 }),
    });
    const form = await postForm(client, 3 * MB);
    const body = Buffer.concat([form.head, ...generate(3 * MB), form.tail]);
    const post = await fetch(form.url, { method: 'POST', headers: form.headers, body });
    expect([post.status, await post.text()]).toEqual([507, expect.stringContaining('InsufficientStorage')]);
    expect(await leftovers()).toEqual({ blobs: 0, temporary: 0 });
    await client.send(new PutObjectCommand({ ...where, Body: 'small' }));
    expect(await text(client)).toBe('small');
  });
});
