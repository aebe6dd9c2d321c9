import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestTarget, type TestTarget, usesExternalServer } from './test-target';

let target: TestTarget;
let client: S3Client;
beforeAll(async () => {
  target = await openTestTarget();
  client = target.client();
});
afterAll(() => target.close());

const put = (Key: string, Body = Key) =>
  client.send(new PutObjectCommand({ Bucket: target.bucket, Key, Body }));
const list = (input: Partial<ListObjectsV2CommandInput>) =>
  client.send(new ListObjectsV2Command({ Bucket: target.bucket, ...input }));

/** Returns the keys of every page of a listing, without the prefix. */
async function listAll(Prefix: string, MaxKeys = 1000): Promise<string[]> {
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await list({ Prefix, MaxKeys, ...(ContinuationToken ? { ContinuationToken } : {}) });
    keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(Prefix.length)));
    expect(page.KeyCount).toBe(page.Contents?.length ?? 0);
    ContinuationToken = page.NextContinuationToken;
    expect(page.IsTruncated ?? false).toBe(ContinuationToken !== undefined);
  } while (ContinuationToken);
  return keys;
}

test('lists keys by their bytes, below a prefix, in pages of any size', async () => {
  const root = target.key('tree/');
  // U+FF5E sorts before U+1F600 by UTF-8 bytes, and after it by UTF-16 units.
  const names = ['', 'a', 'a/', 'a/1', 'a/2', 'a/b/3', 'a0', 'b', 'c/4', 'A', 'é', '～', '😀', 'z&<"> z'];
  await Promise.all(names.map((name) => put(root + name)));
  const sorted = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const size of [1, 2, 3, 5, 1000]) {
    expect(await listAll(root, size)).toEqual(sorted);
    expect(await listAll(`${root}a/`, size)).toEqual(['', '1', '2', 'b/3']);
  }
  expect((await list({ Prefix: `${root}c/` })).Contents?.[0]).toMatchObject({
    Size: Buffer.byteLength(`${root}c/4`),
    StorageClass: 'STANDARD',
  });
  expect((await list({ Prefix: `${root}nothing` })).KeyCount).toBe(0);
});

test('DeleteObjects removes many, and reports nothing when quiet', async () => {
  const root = target.key('many/');
  const names = ['1', '2 &', '../3', '4'];
  await Promise.all(names.map((name) => put(root + name)));
  const remove = (some: string[], Quiet: boolean) =>
    client.send(
      new DeleteObjectsCommand({
        Bucket: target.bucket,
        Delete: { Objects: some.map((name) => ({ Key: root + name })), Quiet },
      }),
    );
  const told = await remove(['1', '2 &', 'never there'], false);
  expect(told.Deleted?.map(({ Key }) => Key?.slice(root.length)).sort()).toEqual(['1', '2 &', 'never there']);
  expect(await listAll(root)).toEqual(['../3', '4']);
  expect((await remove(['../3', '4'], true)).Deleted ?? []).toEqual([]);
  expect(await listAll(root)).toEqual([]);
});

const HOSTILE = [
  '../../../../escaped',
  '..',
  '.',
  '/absolute',
  '//double//slash/',
  'a\\..\\b',
  'C:\\windows\\system32',
  'con',
  'percent%2e%2e%2fescaped',
  'plus+and space',
  'new\nline\tand\u0001control',
  'nul\u0000.mp4',
  'ñ/n\u0303/日本語/😀',
  'quote\'"()*!~;:@$,?#[]',
  'k'.repeat(900),
];

test.skipIf(usesExternalServer)('treats hostile keys as names', async () => {
  for (const root of ['', target.key('hostile/')]) {
    for (const name of HOSTILE) await put(root + name, `bytes of ${name}`);
    for (const name of HOSTILE) {
      const got = await client.send(new GetObjectCommand({ Bucket: target.bucket, Key: root + name }));
      expect(await got.Body?.transformToString()).toBe(`bytes of ${name}`);
    }
  }
});
