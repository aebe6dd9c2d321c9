import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { planDetails } from '@/lib/billing/plans/service';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import { statusOf } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { startStorageProxy } from '@/test/storage-proxy';
import { expire, objectsOf, reservationRequest as request } from '@/test/upload-fixtures';
import { markUploaded } from './complete';
import { presignedUrl } from './contract';
import { checkExpiredUploadUrls } from './expired-upload-urls';
import { reserveUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let proxy: Awaited<ReturnType<typeof startStorageProxy>>;
beforeAll(async () => {
  // As Cloudflare R2 and Backblaze B2.
  services = await startLocalServices({ postObject: false });
  proxy = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  process.env.S3_ENDPOINT = proxy.url;
});
afterAll(async () => {
  await proxy.close();
  await services.end();
});

const put = (url: string, body: string, type = 'video/mp4') =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });

it('gives out no address and takes no slot until it knows what storage takes', async () => {
  const user = await makeUser();
  for (const pattern of [/./, /^(POST|PUT) /]) {
    const back = proxy.refuse(pattern, 503);
    expect(await codeOf(reserveUpload(user.id, request(5)))).toBe('unavailable');
    back();
  }
  const readOnly = proxy.refuse(/^PUT /, 403);
  expect(await codeOf(reserveUpload(user.id, request(5)))).toBe('unavailable');
  readOnly();
  expect((await planDetails(user.id)).videoCount).toBe(0);
});

it('needs the size, and takes no slot without it', async () => {
  const user = await makeUser();
  expect(await codeOf(reserveUpload(user.id, request()))).toBe('validation_failed');
  await expect(reserveUpload(user.id, request())).rejects.toMatchObject({
    fields: { size: expect.any(String) },
  });
  expect((await planDetails(user.id)).videoCount).toBe(0);
});

it('gives an address to PUT to, which takes this length and type and no other', async () => {
  const user = await makeUser();
  const reserved = presignedUrl.response.parse(await reserveUpload(user.id, request(5)));
  const { presignedData, metadata } = reserved;
  expect(presignedData).toEqual({ url: expect.any(String), fields: {}, method: 'PUT' });
  for (const [body, type] of [
    ['1234', 'video/mp4'],
    ['123456', 'video/mp4'],
    ['', 'video/mp4'],
    ['12345', 'text/html'],
  ] as const) {
    expect([body, type, (await put(presignedData.url, body, type)).status]).toEqual([body, type, 403]);
  }
  expect(await codeOf(markUploaded(user.id, metadata.entryId))).toBe('upload_missing');
  expect((await put(presignedData.url, '12345')).status).toBe(200);
  expect(await markUploaded(user.id, metadata.entryId)).toMatchObject({ status: 'processing' });
  expect(await statusOf(metadata.entryId)).toBe('uploaded');
});

it('asks storage once, and leaves nothing there', async () => {
  const user = await makeUser();
  await reserveUpload(user.id, request(5));
  expect(proxy.requests.filter((asked) => asked === 'POST /daylight').length).toBeLessThan(5);
  proxy.requests.splice(0);
  await reserveUpload(user.id, request(5));
  expect(proxy.requests).toEqual([]);
  const probe = { userId: '', entryId: '', send: async () => {} };
  expect(await objectsOf(probe)).toEqual([]);
});

it('deletes what is sent to the address again after the upload was completed', async () => {
  const user = await makeUser();
  const { presignedData, metadata } = await reserveUpload(user.id, request(5));
  const upload = { userId: user.id, entryId: metadata.entryId, send: async () => {} };
  await put(presignedData.url, '12345');
  await markUploaded(user.id, metadata.entryId);
  expect((await put(presignedData.url, 'other')).status).toBe(200);
  await expire(upload);
  await checkExpiredUploadUrls();
  expect(await objectsOf(upload)).toEqual([]);
  const [entry] = await db().select().from(entries).where(eq(entries.id, metadata.entryId));
  expect(entry).toMatchObject({ videoStatus: 'failed', uploadExpiresAt: null });
});
