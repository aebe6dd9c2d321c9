import {
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

/** Returns the keys on all pages of a listing, without the prefix. */
async function listAll(Prefix: string, MaxKeys = 1000): Promise<string[]> {
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await list({ Prefix, MaxKeys, ...(ContinuationToken ? { ContinuationToken } : {}) });
    keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(Prefix.length)));
    ContinuationToken = page.NextContinuationToken;
    expect(page.IsTruncated ?? false).toBe(ContinuationToken !== undefined);
  } while (ContinuationToken);
  return keys;
}

test('lists keys below a prefix, sorted, in pages of any size', async () => {
  const root = target.key('tree/');
  const names = ['', 'a', 'a/', 'a/1', 'a/2', 'a/b/3', 'a0', 'b', 'c/4', 'A', 'é', 'z&<"> z'];
  await Promise.all(names.map((name) => put(root + name)));
  for (const size of [1, 2, 3, 5, 1000]) {
    expect(await listAll(root, size)).toEqual(names.toSorted());
    expect(await listAll(`${root}a/`, size)).toEqual(['', '1', '2', 'b/3']);
  }
  expect(await listAll(`${root}nothing`)).toEqual([]);
});

test.skipIf(usesExternalServer)("hostile keys can't leave the bucket or collide", async () => {
  const names = [
    ...['../../../../escaped', '..', '.', '/absolute', '//double//slash/', 'a\\..\\b'],
    ...['percent%2e%2e%2fescaped', 'plus+and space', 'new\nline\tand\u0001control', 'nul\u0000.mp4'],
    ...['ñ/n\u0303/日本語/😀', 'quote\'"()*!~;:@$,?#[]', 'k'.repeat(1000)],
  ];
  for (const name of names) await put(name, `bytes of ${name}`);
  for (const Key of names) {
    const got = await client.send(new GetObjectCommand({ Bucket: target.bucket, Key }));
    expect(await got.Body?.transformToString()).toBe(`bytes of ${Key}`);
  }
});
