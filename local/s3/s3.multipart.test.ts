import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestTarget, type TestTarget } from './test-target';

const PART = 5 * 1024 * 1024;

let target: TestTarget;
let client: S3Client;
let where: { Bucket: string; Key: string };
beforeAll(async () => {
  target = await openTestTarget();
  client = target.client();
});
beforeEach(({ task }) => {
  where = { Bucket: target.bucket, Key: target.key(task.id) };
});
afterAll(() => target.close());

async function begin() {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...where, ContentType: 'video/mp4' }),
  );
  return { ...where, UploadId: UploadId ?? '' };
}

async function upload(to: Awaited<ReturnType<typeof begin>>, PartNumber: number, Body: Buffer) {
  const { ETag } = await client.send(new UploadPartCommand({ ...to, PartNumber, Body }));
  return { PartNumber, ETag };
}

const complete = (to: Awaited<ReturnType<typeof begin>>, Parts: CompletedPart[]) =>
  client.send(new CompleteMultipartUploadCommand({ ...to, MultipartUpload: { Parts } }));

const missing = () =>
  expect(client.send(new HeadObjectCommand(where))).rejects.toMatchObject({ name: 'NotFound' });

test('parts become one object, with the ETag of their MD5s', async () => {
  const to = await begin();
  const bodies = [randomBytes(PART), randomBytes(PART + 1), randomBytes(3)];
  const parts: CompletedPart[] = [];
  // Out of order, and one of them twice: the later upload of a number counts.
  await upload(to, 5, randomBytes(10));
  for (const index of [2, 0, 1])
    parts[index] = await upload(to, [1, 3, 5][index] ?? 0, bodies[index] as Buffer);
  await missing();
  const listed = await client.send(new ListPartsCommand(to));
  expect(listed.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
    [1, PART],
    [3, PART + 1],
    [5, 3],
  ]);
  const md5s = Buffer.concat(bodies.map((body) => createHash('md5').update(body).digest()));
  const etag = `"${createHash('md5').update(md5s).digest('hex')}-3"`;
  expect((await complete(to, parts)).ETag).toBe(etag);

  const whole = Buffer.concat(bodies);
  const got = await client.send(new GetObjectCommand(where));
  expect(got).toMatchObject({ ContentType: 'video/mp4', ETag: etag });
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(whole)).toBe(true);
  const [first, last] = [PART - 2, 2 * PART + 2];
  const across = await client.send(new GetObjectCommand({ ...where, Range: `bytes=${first}-${last}` }));
  const bytes = Buffer.from((await across.Body?.transformToByteArray()) ?? []);
  expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
  await expect(client.send(new ListPartsCommand(to))).rejects.toMatchObject({ name: 'NoSuchUpload' });
});

test('completing again after a lost response gives the same response', async () => {
  const to = await begin();
  const part = await upload(to, 1, Buffer.from('only'));
  const [one, two] = await Promise.all([complete(to, [part]), complete(to, [part])]);
  const three = await complete(to, [part]);
  expect(new Set([one.ETag, two.ETag, three.ETag]).size).toBe(1);
});

test('order, ETags, sizes and numbers are checked, and a refused upload keeps its parts', async () => {
  const to = await begin();
  const small = await upload(to, 1, Buffer.from('small'));
  const last = await upload(to, 2, Buffer.from('last'));
  await expect(complete(to, [last, small])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
  await expect(complete(to, [small, last])).rejects.toMatchObject({ name: 'EntityTooSmall' });
  await expect(complete(to, [{ ...small, ETag: last.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete(to, [{ ...small, PartNumber: 7 }])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete(to, [])).rejects.toMatchObject({ name: 'MalformedXML' });
  await expect(upload(to, 10_001, Buffer.from('x'))).rejects.toMatchObject({ name: 'InvalidArgument' });
  await missing();
  await complete(to, [small]);
  const got = await client.send(new GetObjectCommand(where));
  expect(await got.Body?.transformToString()).toBe('small');
});

test('an aborted upload is gone and accepts no part', async () => {
  const to = await begin();
  const part = await upload(to, 1, Buffer.from('x'));
  const list = async () =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: where.Bucket, Prefix: where.Key }))).Uploads;
  expect((await list())?.map(({ Key, UploadId }) => [Key, UploadId])).toEqual([[where.Key, to.UploadId]]);
  await client.send(new AbortMultipartUploadCommand(to));
  await expect(upload(to, 2, Buffer.from('x'))).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await expect(complete(to, [part])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  expect((await list()) ?? []).toEqual([]);
});

test('an upload belongs to its key', async () => {
  const to = await begin();
  await expect(upload({ ...to, Key: `${to.Key}x` }, 1, Buffer.from('x'))).rejects.toMatchObject({
    name: 'NoSuchUpload',
  });
});

test('a browser uploads a part to a presigned URL', async () => {
  const to = await begin();
  const url = await getSignedUrl(client, new UploadPartCommand({ ...to, PartNumber: 1 }));
  const response = await fetch(url, { method: 'PUT', body: 'from a page' });
  expect(response.status).toBe(200);
  await complete(to, [{ PartNumber: 1, ETag: response.headers.get('etag') ?? '' }]);
  const got = await client.send(new GetObjectCommand(where));
  expect(await got.Body?.transformToString()).toBe('from a page');
});

test('parts are listed in pages', async () => {
  const to = await begin();
  for (const number of [1, 2, 3]) await upload(to, number, Buffer.from(`${number}`));
  const first = await client.send(new ListPartsCommand({ ...to, MaxParts: 2 }));
  expect([first.IsTruncated, first.Parts?.length, first.NextPartNumberMarker]).toEqual([true, 2, '2']);
  const rest = await client.send(
    new ListPartsCommand({ ...to, PartNumberMarker: first.NextPartNumberMarker }),
  );
  expect([rest.IsTruncated, rest.Parts?.map((part) => part.PartNumber)]).toEqual([false, [3]]);
});

test("completing again can't bring back a deleted object", async () => {
  const to = await begin();
  const part = await upload(to, 1, Buffer.from('x'));
  await complete(to, [part]);
  await client.send(new DeleteObjectCommand(where));
  await expect(complete(to, [part])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await missing();
});
