import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startLocalServices } from '@/test/services';
import { downloadObject, headObject, ObjectReplaced, uploadObject } from './storage-objects';

/** How many bytes to send before cutting a connection. */
const CUT_AFTER = 300_000;

let services: Awaited<ReturnType<typeof startLocalServices>>;
let folder: string;
/** How many more connections to break in the middle of an upload. */
let cuts = 0;

/** Changes a byte of each body on its way to storage. */
let isGarbling = false;

/** Makes storage ignore If-Match and return a different version than requested. */
let ignoresIfMatch = false;
const ANOTHER = 'HTTP/1.1 200 OK\r\netag: "other"\r\ncontent-length: 7\r\nconnection: close\r\n\r\nanother';

/** Answers each upload as soon as its headers arrive. */
let answersEarly = false;
const STORED = 'HTTP/1.1 200 OK\r\netag: "early"\r\ncontent-length: 0\r\n\r\n';

/** A proxy between the app and storage that cuts connections. */
const line = createServer((socket) => {
  const storage = connect(Number(new URL(address).port), '127.0.0.1');
  let passed = 0;
  socket.on('data', (chunk) => {
    if (ignoresIfMatch && chunk.subarray(0, 4).toString() === 'GET ') {
      socket.end(ANOTHER);
      return;
    }
    if (answersEarly) {
      if (chunk.subarray(0, 4).toString() === 'PUT ') socket.write(STORED);
      return;
    }
    // The first chunk has the headers, and is longer only if there's a body behind them.
    if (isGarbling && chunk.length > 0) {
      const at = chunk.length - 1;
      const isBody = !chunk.subarray(-4).equals(Buffer.from('\r\n\r\n'));
      if (isBody) chunk[at] = (chunk[at] ?? 0) ^ 1;
    }
    if (cuts > 0) passed += chunk.length;
    if (passed <= CUT_AFTER) storage.write(chunk);
    else if (!socket.destroyed) {
      cuts -= 1;
      socket.resetAndDestroy();
    }
  });
  storage.on('data', (chunk) => socket.write(chunk));
  for (const [one, other] of [
    [socket, storage],
    [storage, socket],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => other.destroy());
  }
});
let address = '';

beforeAll(async () => {
  services = await startLocalServices();
  folder = await mkdtemp(join(tmpdir(), 'daylight-storage-client-'));
  address = process.env.S3_ENDPOINT ?? '';
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  process.env.S3_ENDPOINT = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
});
afterAll(async () => {
  line.close();
  await services.end();
  await rm(folder, { recursive: true });
});

it('sends a file again when the connection breaks, and gives up after three times', async () => {
  const file = join(folder, 'sent');
  await writeFile(file, randomBytes(1_000_000));
  cuts = 2;
  await uploadObject(file, 'entries/sent', 'video/mp4');
  expect(cuts).toBe(0);
  expect(await downloadObject('entries/sent', join(folder, 'back'))).toBe(true);
  expect((await readFile(join(folder, 'back'))).equals(await readFile(file))).toBe(true);

  cuts = 3;
  await expect(uploadObject(file, 'entries/lost', 'video/mp4')).rejects.toThrow();
  expect(await headObject('entries/lost')).toBeNull();
});

/** Returns the files in the folder that this process has open. */
async function openFiles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}

describe.runIf(process.platform === 'linux')('a file that was sent is closed', () => {
  it('when the connection broke each time', async () => {
    const file = join(folder, 'broken');
    await writeFile(file, randomBytes(1_000_000));
    cuts = 3;
    await expect(uploadObject(file, 'entries/broken', 'video/mp4')).rejects.toThrow();
    await vi.waitFor(async () => expect(await openFiles()).toEqual([]));
  });

  it('when storage answered before it was read to its end', async () => {
    const file = join(folder, 'early');
    await writeFile(file, randomBytes(10_000_000));
    answersEarly = true;
    await uploadObject(file, 'entries/early', 'video/mp4').finally(() => {
      answersEarly = false;
    });
    await vi.waitFor(async () => expect(await openFiles()).toEqual([]));
  });
});

it('stores nothing if the bytes change on their way', async () => {
  const file = join(folder, 'garbled');
  await writeFile(file, randomBytes(1000));
  isGarbling = true;
  await expect(uploadObject(file, 'entries/garbled', 'video/mp4')).rejects.toThrow();
  isGarbling = false;
  expect(await headObject('entries/garbled')).toBeNull();
});

it('downloads the version that is asked for and no other, also where If-Match is ignored', async () => {
  const [first, second, back] = ['first', 'second', 'pinned'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(first, 'one');
  await writeFile(second, 'another');
  await uploadObject(first, 'entries/pinned', 'video/mp4');
  const { etag } = (await headObject('entries/pinned')) ?? { etag: '' };
  expect(await downloadObject('entries/pinned', back, { etag })).toBe(true);
  await rm(back);

  await uploadObject(second, 'entries/pinned', 'video/mp4');
  for (const ignored of [false, true]) {
    ignoresIfMatch = ignored;
    await expect(downloadObject('entries/pinned', back, { etag })).rejects.toThrow(ObjectReplaced);
    await expect(readFile(back)).rejects.toMatchObject({ code: 'ENOENT' });
  }
  ignoresIfMatch = false;
  expect(await downloadObject('entries/none', back, { etag })).toBe(false);
});

it('says why a download failed here, and not that the object was replaced', async () => {
  const file = join(folder, 'kept');
  await writeFile(file, 'kept');
  await uploadObject(file, 'entries/kept', 'video/mp4');
  const copy = join(folder, 'nowhere', 'copy');
  await expect(downloadObject('entries/kept', copy)).rejects.toMatchObject({ code: 'ENOENT' });
});
