import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startLocalServices } from '@/test/services';
import { startStorageProxy } from '@/test/storage-proxy';
import { bucket, s3 } from './storage';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let proxy: Awaited<ReturnType<typeof startStorageProxy>>;
const undo: (() => void)[] = [];

beforeAll(async () => {
  services = await startLocalServices({ postObject: true });
  proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  process.env.S3_ENDPOINT = proxy.url;
});
afterEach(async () => {
  for (const back of undo.splice(0)) back();
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket() }));
  expect(Contents.map(({ Key }) => Key)).toEqual([]);
  proxy.requests.splice(0);
});
afterAll(async () => {
  await proxy.close();
  await services.end();
});

/** Loads the module as another bundle or process does. */
async function load() {
  vi.resetModules();
  return { ...(await import('./direct-upload')), ...(await import('./storage-objects')) };
}
const forms = () => proxy.requests.filter((asked) => asked.startsWith('POST '));
const FORM = /^POST \/[^/]+$/;

it.each([
  ['names the reason', 0, '', true, 1],
  ['names another reason, but takes one that fits', 1, '<Code>InvalidRequest</Code>', true, 2],
  ['refuses one that fits, too', 2, '<Code>InvalidRequest</Code>', false, 2],
])('detects storage that refuses a large form and %s', async (_, times, body, expected, asked) => {
  undo.push(proxy.refuse(FORM, 400, `<Error>${body}</Error>`, times));
  expect(await (await load()).detectFormUploads()).toBe(expected);
  expect(forms()).toHaveLength(asked);
});

it.each([405, 501])('doesn’t ask twice where storage answers %i to forms', async (status) => {
  undo.push(proxy.refuse(FORM, status));
  expect(await (await load()).detectFormUploads()).toBe(false);
  expect(forms()).toHaveLength(1);
});

it('lets requests use what startup found out, but not that it failed', async () => {
  const back = proxy.refuse(/./, 503);
  undo.push(back);
  await (await load()).logFormUploads();
  await expect((await load()).hasFormUploads()).rejects.toMatchObject({ code: 'unavailable' });
  back();
  proxy.requests.splice(0);
  const startup = (await load()).logFormUploads();
  expect(await (await load()).hasFormUploads()).toBe(true);
  await startup;
  expect(forms()).toHaveLength(1);
});

it('writes to a key that no other process writes to', async () => {
  await Promise.all([(await load()).writeProbe(), (await load()).writeProbe()]);
  const written = proxy.requests.filter((asked) => asked.startsWith('PUT '));
  expect(new Set(written).size).toBe(2);
});
