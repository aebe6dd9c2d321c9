import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { deletePrefix } from './storage-objects';

/** The keys in storage, which lists a few at a time and refuses to delete locked ones. */
let keys: string[];
const isLocked = (key: string) => key.endsWith('.locked');
const PAGE = 3;

const bucket = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://bucket');
  response.setHeader('content-type', 'application/xml');
  if (request.method === 'GET') {
    const after = query.get('continuation-token') ?? '';
    const left = keys.filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
    const page = left.slice(0, PAGE);
    const next = left.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    response.end(
      `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`,
    );
    return;
  }
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
  if (request.method !== 'DELETE' || isLocked(key)) {
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    return;
  }
  keys = keys.filter((other) => other !== key);
  response.writeHead(204).end();
});

let end: () => Promise<void>;
beforeAll(async () => {
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  const { port } = bucket.address() as AddressInfo;
  const settings = { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_FORCE_PATH_STYLE: '1' };
  end = await useFreshDatabase({ settings });
});
afterAll(async () => {
  bucket.closeAllConnections();
  bucket.close();
  await end();
});

it('deletes all that is below a prefix, page by page', async () => {
  keys = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'b/1'];
  expect(await deletePrefix('a/')).toBe(5);
  expect(keys).toEqual(['b/1']);
});

it('deletes the rest when storage refuses to delete some, and says so', async () => {
  keys = ['a/1.locked', 'a/2', 'a/3.locked', 'a/4', 'a/5.locked', 'a/6'];
  await expect(deletePrefix('a/')).rejects.toThrow('refused to delete 3');
  expect(keys).toEqual(['a/1.locked', 'a/3.locked', 'a/5.locked']);
});
