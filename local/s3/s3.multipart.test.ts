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

async function begin(more = {}) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...where, ...more }));
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
  const to = await begin({ ContentType: 'video/mp4', Metadata: { entry: '9' } });
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
  expect(got).toMatchObject({ ContentType: 'video/mp4', Metadata: { entry: '9' }, ETag: etag });
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(whole)).toBe(true);
  const [first, last] = [PART - 2, 2 * PART + 2];
  const across = await client.send(new GetObjectCommand({ ...where, Range: `bytes=${first}-${last}` }));
  const bytes = Buffer.from((await across.Body?.transformToByteArray()) ?? []);
  expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
  await expect(client.send(new ListPartsCommand(to))).rejects.toMatchObject({ name: 'NoSuchUpload' });
});

test('completing again after a lost answer gives the same answer', async () => {
  const to = await begin();
  const part = await upload(to, 1, Buffer.from('only'));
  const [one, two] = await Promise.all([complete(to, [part]), complete(to, [part])]);
  const three = await complete(to, [part]);
  expect(new Set([one.ETag, two.ETag, three.ETag]).size).toBe(1);
});

test('order, ETags, sizes and numbers are checked, and a refusal keeps the parts', async () => {
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

test('an aborted upload is gone, and takes no part', async () => {
  const to = await begin();
  const part = await upload(to, 1, Buffer.from('x'));
  const before = await client.send(
    new ListMultipartUploadsCommand({ Bucket: where.Bucket, Prefix: where.Key }),
  );
  expect(before.Uploads?.map(({ Key, UploadId }) => [Key, UploadId])).toEqual([[where.Key, to.UploadId]]);
  await client.send(new AbortMultipartUploadCommand(to));
  await expect(upload(to, 2, Buffer.from('x'))).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await expect(complete(to, [part])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  const after = await client.send(
    new ListMultipartUploadsCommand({ Bucket: where.Bucket, Prefix: where.Key }),
  );
  expect(after.Uploads ?? []).toEqual([]);
});

test('an upload belongs to its key', async () => {
  const to = await begin();
  await expect(upload({ ...to, Key: `${to.Key}x` }, 1, Buffer.from('x'))).rejects.toMatchObject({
    name: 'NoSuchUpload',
  });
});

test('parts go to presigned addresses from a browser', async () => {
  const to = await begin();
  const url = await getSignedUrl(client, new UploadPartCommand({ ...to, PartNumber: 1 }));
  const response = await fetch(url, { method: 'PUT', body: 'from a page' });
  expect(response.status).toBe(200);
  await complete(to, [{ PartNumber: 1, ETag: response.headers.get('etag') ?? '' }]);
  const got = await client.send(new GetObjectCommand(where));
  expect(await got.Body?.transformToString()).toBe('from a page');
});

test('lists of parts and uploads come in pages', async () => {
  const to = await begin();
  for (const number of [1, 2, 3]) await upload(to, number, Buffer.from(`${number}`));
  const first = await client.send(new ListPartsCommand({ ...to, MaxParts: 2 }));
  expect([first.IsTruncated, first.Parts?.length, first.NextPartNumberMarker]).toEqual([true, 2, '2']);
  const rest = await client.send(
    new ListPartsCommand({ ...to, PartNumberMarker: first.NextPartNumberMarker }),
  );
  expect([rest.IsTruncated, rest.Parts?.map((part) => part.PartNumber)]).toEqual([false, [3]]);

  const other = await begin();
  const Prefix = where.Key;
  const page = await client.send(
    new ListMultipartUploadsCommand({ Bucket: where.Bucket, Prefix, MaxUploads: 1 }),
  );
  const next = await client.send(
    new ListMultipartUploadsCommand({
      Bucket: where.Bucket,
      Prefix,
      KeyMarker: page.NextKeyMarker,
      UploadIdMarker: page.NextUploadIdMarker,
    }),
  );
  const ids = [...(page.Uploads ?? []), ...(next.Uploads ?? [])].map((one) => one.UploadId);
  expect(ids.sort()).toEqual([to.UploadId, other.UploadId].sort());
});

test('the SDK at its defaults uploads parts with checksums, which are checked', async () => {
  const defaults = target.client({
    requestChecksumCalculation: 'WHEN_SUPPORTED',
    responseChecksumValidation: 'WHEN_SUPPORTED',
  });
  const { UploadId } = await defaults.send(
    new CreateMultipartUploadCommand({ ...where, ChecksumAlgorithm: 'CRC32' }),
  );
  const part = { ...where, UploadId, PartNumber: 1, Body: 'hello' };
  const { ETag, ChecksumCRC32 } = await defaults.send(new UploadPartCommand(part));
  expect(ChecksumCRC32).toBe('NhCmhg==');
  const done = await defaults.send(
    new CompleteMultipartUploadCommand({
      ...where,
      UploadId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag, ChecksumCRC32 }] },
    }),
  );
  expect(done.ChecksumCRC32).toMatch(/-1$/);
  const got = await defaults.send(new GetObjectCommand(where));
  expect(await got.Body?.transformToString()).toBe('hello');
});

test('a finished object can be deleted and its upload is not there to bring it back', async () => {
  const to = await begin();
  const part = await upload(to, 1, Buffer.from('x'));
  await complete(to, [part]);
  await client.send(new DeleteObjectCommand(where));
  await expect(complete(to, [part])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await missing();
});
