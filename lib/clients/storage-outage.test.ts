import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { errorResponse } from '@/lib/api/error-response';
import { useFreshDatabase } from '@/test/app-database';
import { codeOf } from '@/test/error-code';
import { hasFormUploads } from './direct-upload';
import { abortMultiparts, beginMultipart, completeMultipart, listParts } from './multipart';
import { isStorageReachable } from './storage';
import { deleteObject, deletePrefix, downloadObject, headObject, uploadObject } from './storage-objects';

/** What storage answers: a status and a body; nothing at all while null. */
let answer: { status: number; body: string } | null;
const headersSeen: (string | undefined)[] = [];
const http = createServer((request, response) => {
  if (!answer) return;
  headersSeen.push(request.headers.expect);
  const { status, body } = answer;
  request.resume().once('end', () => response.writeHead(status).end(body));
});
// A server that never sends `100 Continue`, as Cloudflare doesn't.
http.on('checkContinue', (request, response) => http.emit('request', request, response));
const open = new Set<Socket>();
/** Passes connections on, or resets them. */
let resets = false;
const gate = createTcpServer((socket) => {
  if (resets) return void socket.resetAndDestroy();
  open.add(socket);
  http.emit('connection', socket);
});

let end: () => Promise<void>;
let folder: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo;
  folder = await mkdtemp(join(tmpdir(), 'daylight-outage-'));
  // Large enough for the client to wait for `100 Continue`, if it did.
  await writeFile(join(folder, 'file'), Buffer.alloc(3_000_000));
  end = await useFreshDatabase({
    settings: { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_FORCE_PATH_STYLE: '1' },
  });
});
beforeEach(() => {
  answer = { status: 200, body: '' };
  resets = false;
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  gate.close();
  await rm(folder, { recursive: true });
  await end();
});

const file = () => join(folder, 'file');
const calls: Record<string, () => Promise<unknown>> = {
  'looking at an object': () => headObject('entries/a'),
  'deleting an object': () => deleteObject('entries/a'),
  'deleting a folder': () => deletePrefix('entries/'),
  'starting an upload in parts': () => beginMultipart('entries/a', 'video/mp4'),
  'listing parts': () => listParts('entries/a', 'id'),
  'aborting uploads in parts': () => abortMultiparts('entries/a'),
};
const transfers: Record<string, () => Promise<unknown>> = {
  'assembling parts': () => completeMultipart('entries/a', 'id', []),
  downloading: () => downloadObject('entries/a', join(folder, 'copy')),
  uploading: () => uploadObject(file(), 'entries/a', 'video/mp4'),
  'asking for forms': () => hasFormUploads(),
};
const everyCall = { ...calls, ...transfers };
const codes = async (tried: Record<string, () => Promise<unknown>>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(tried).map(async ([name, call]) => [name, await codeOf(call())])),
  );
const unavailable = (tried: object) =>
  Object.fromEntries(Object.keys(tried).map((name) => [name, 'unavailable']));

it.each([
  ['fails without a body', 503, ''],
  ['fails with a page of a proxy', 502, '<html><body><h1>Bad gateway</h1></body></html>'],
  ['fails with text', 500, 'upstream & error <'],
  ['asks to slow down', 503, '<Error><Code>SlowDown</Code></Error>'],
  ['refuses the key', 403, '<Error><Code>InvalidAccessKeyId</Code></Error>'],
  ['is busy with the same object', 409, '<Error><Code>OperationAborted</Code></Error>'],
  ['doesn’t implement it', 501, '<Error><Code>NotImplemented</Code></Error>'],
  ['is away, which a proxy calls missing', 404, '404 page not found\n'],
  ['is away, which a proxy says as a page', 404, '<html><body><hr><center>nginx</center></body></html>'],
  ['is away, and a different server has its port', 404, '{"message":"not found"}'],
  ['refuses the region', 400, '<Error><Code>AuthorizationHeaderMalformed</Code></Error>'],
])('answers 503 when storage %s', async (_, status, body) => {
  answer = { status, body };
  // Refused deletions are counted, which only jobs do.
  const { 'deleting a folder': __, ...tried } = everyCall;
  expect(await codes(tried)).toEqual(unavailable(tried));
  const error = await headObject('entries/a').catch((thrown: unknown) => thrown);
  const response = errorResponse(error, 'request');
  expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
});

it('answers 503 when storage resets connections', async () => {
  resets = true;
  for (const socket of open) socket.resetAndDestroy();
  expect(await codes(everyCall)).toEqual(unavailable(everyCall));
});

it('answers 503 when storage accepts requests and never responds', async () => {
  answer = null;
  expect(await isStorageReachable(100)).toBe(false);
  expect(await codes(calls)).toEqual(unavailable(calls));
});

it('answers 503 when the bucket is missing, and not that an object is', async () => {
  answer = { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' };
  const reads = {
    reading: () => downloadObject('entries/a', join(folder, 'copy')),
    'listing parts': () => listParts('entries/a', 'id'),
  };
  expect(await codes(reads)).toEqual(unavailable(reads));
  answer.body = '<Error><Code>NoSuchKey</Code></Error>';
  expect(await downloadObject('entries/a', join(folder, 'copy'))).toBe(false);
});

it('takes a 404 without a body for a missing object', async () => {
  answer = { status: 404, body: '' };
  expect([await headObject('entries/a'), await codeOf(deleteObject('entries/a'))]).toEqual([null, 'ok']);
  expect(await downloadObject('entries/a', join(folder, 'copy'))).toBe(false);
  expect(await isStorageReachable(60_000)).toBe(true);
});

it('sends a file at once, without waiting for 100 Continue', async () => {
  headersSeen.splice(0);
  await uploadObject(file(), 'entries/a', 'video/mp4');
  expect(headersSeen).toEqual([undefined]);
});
