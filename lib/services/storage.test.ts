import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localServices } from '@/test/services';
import { download, objectFacts, upload } from './storage';

/** Bytes after which a connection is cut. */
const CUT_AFTER = 300_000;

let services: Awaited<ReturnType<typeof localServices>>;
let folder: string;
/** So many times from now on a connection breaks in the middle of what is sent. */
let cuts = 0;

/** What stands between the app and storage, and cuts connections. */
const line = createServer((socket) => {
  const storage = connect(Number(new URL(address).port), '127.0.0.1');
  let passed = 0;
  socket.on('data', (chunk) => {
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
  services = await localServices();
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
  await upload(file, 'entries/sent', 'video/mp4');
  expect(cuts).toBe(0);
  expect(await download('entries/sent', join(folder, 'back'))).toBe(true);
  expect((await readFile(join(folder, 'back'))).equals(await readFile(file))).toBe(true);

  cuts = 3;
  await expect(upload(file, 'entries/lost', 'video/mp4')).rejects.toThrow();
  expect(await objectFacts('entries/lost')).toBeNull();
});
