import * as s3 from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestTarget, readErrorCode, type TestTarget, usesExternalServer } from './test-target';

let target: TestTarget;
let client: s3.S3Client;
beforeAll(async () => {
  target = await openTestTarget();
  client = target.client();
});
afterAll(() => target.close());

const NOT_IMPLEMENTED = {
  name: 'NotImplemented',
  message: expect.stringMatching(/^Not implemented: /),
  $metadata: expect.objectContaining({ httpStatusCode: 501 }),
};

type Where = { Bucket: string; Key: string };
// biome-ignore lint/suspicious/noExplicitAny: commands have different inputs and outputs
type Command = any;

const REQUESTS: [string, (where: Where) => Command][] = [
  ['CopyObject', (where) => new s3.CopyObjectCommand({ ...where, CopySource: `${where.Bucket}/a` })],
  ['CreateBucket', ({ Bucket }) => new s3.CreateBucketCommand({ Bucket })],
  ['ListObjects version 1', ({ Bucket }) => new s3.ListObjectsCommand({ Bucket })],
  ['a delimiter', ({ Bucket }) => new s3.ListObjectsV2Command({ Bucket, Delimiter: '/' })],
  ['encoded keys', ({ Bucket }) => new s3.ListObjectsV2Command({ Bucket, EncodingType: 'url' })],
  ['pages of uploads', ({ Bucket }) => new s3.ListMultipartUploadsCommand({ Bucket, MaxUploads: 1 })],
  ['an ACL', (where) => new s3.PutObjectAclCommand({ ...where, ACL: 'public-read' })],
  ['PutObject with an ACL', (where) => new s3.PutObjectCommand({ ...where, ACL: 'public-read' })],
  ['PutObject with tags', (where) => new s3.PutObjectCommand({ ...where, Tagging: 'a=b' })],
  ['PutObject with metadata', (where) => new s3.PutObjectCommand({ ...where, Metadata: { a: '1' } })],
  ['PutObject with Cache-Control', (where) => new s3.PutObjectCommand({ ...where, CacheControl: 'public' })],
  ['a conditional PutObject', (where) => new s3.PutObjectCommand({ ...where, IfNoneMatch: '*' })],
  ['a checksum', (where) => new s3.PutObjectCommand({ ...where, ChecksumCRC32: 'NhCmhg==' })],
  [
    'a checksum of parts',
    (where) => new s3.CreateMultipartUploadCommand({ ...where, ChecksumAlgorithm: 'CRC32' }),
  ],
  [
    'a Content-Language override',
    (where) => new s3.GetObjectCommand({ ...where, ResponseContentLanguage: 'en' }),
  ],
  [
    'DeleteObjects',
    ({ Bucket, Key }) => new s3.DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }),
  ],
  ['a version', (where) => new s3.GetObjectCommand({ ...where, VersionId: '1' })],
  ['If-Unmodified-Since', (where) => new s3.GetObjectCommand({ ...where, IfUnmodifiedSince: new Date() })],
];

describe.skipIf(usesExternalServer)('requests the app never sends get 501', () => {
  test.each(REQUESTS)('%s', async (_, command) => {
    const where = { Bucket: target.bucket, Key: target.key('unsupported') };
    await expect(client.send(command(where))).rejects.toMatchObject(NOT_IMPLEMENTED);
  });

  test.each([
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  ])('a body of %s', async (payload) => {
    const { url, ...signed } = await target.sign(target.key('chunked'), { method: 'PUT', payload });
    const response = await fetch(url, { ...signed, body: '0\r\n\r\n' });
    expect([response.status, await readErrorCode(response)]).toEqual([501, 'NotImplemented']);
  });

  const forms: [string, Partial<PresignedPostOptions>][] = [
    ['metadata', { Fields: { 'x-amz-meta-a': '1' } }],
    ['success_action_status', { Fields: { success_action_status: '201' } }],
    ['starts-with', { Conditions: [['starts-with', '$Content-Type', 'video/']] }],
  ];
  test.each(forms)('a form with %s', async (_, options) => {
    const where = { Bucket: target.bucket, Key: target.key('form') };
    const { url, fields } = await createPresignedPost(client, { ...where, ...options });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob(['x']));
    const response = await fetch(url, { method: 'POST', body: form });
    expect([response.status, await readErrorCode(response)]).toEqual([501, 'NotImplemented']);
  });
});

test('HeadBucket finds the bucket and no other', async () => {
  await client.send(new s3.HeadBucketCommand({ Bucket: target.bucket }));
  const other = client.send(new s3.HeadBucketCommand({ Bucket: 'no-such-bucket' }));
  await expect(other).rejects.toMatchObject({ name: 'NotFound' });
});
