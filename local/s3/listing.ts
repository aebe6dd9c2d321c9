import { compareUtf8 } from './bucket';
import { S3Error } from './errors';
import { numberParameter, type RequestContext, type S3Response } from './request-context';
import { encodeComponent } from './sigv4';
import { element, type XmlNode } from './xml';

const MAX_KEYS = 1000;

/** Where a page ended: after a key, or after every key that shares a prefix. */
type Position = { after: string; isPrefix: boolean };
type Page = { keys: string[]; prefixes: string[]; next: Position | undefined };

/** ListObjectsV2: keys in UTF-8 byte order; with a delimiter, those that share a prefix count once. */
export async function listObjects(call: RequestContext): Promise<S3Response> {
  const prefix = call.query.get('prefix') ?? '';
  const delimiter = call.query.get('delimiter') ?? '';
  const limit = Math.min(
    numberParameter(call, 'max-keys', { fallback: MAX_KEYS, min: 0, max: 2 ** 31 - 1 }),
    MAX_KEYS,
  );
  const encode = encoding(call);
  const token = call.query.get('continuation-token');
  const after = call.query.get('start-after') ?? '';
  const from = token === undefined ? { after, isPrefix: false } : readToken(token);
  const page = collectPage(call.bucket.keys(), { prefix, delimiter, limit, from });

  const nodes: XmlNode[] = [
    element('Name', call.target.bucket),
    element('Prefix', encode(prefix)),
    element('KeyCount', page.keys.length + page.prefixes.length),
    element('MaxKeys', limit),
    element('IsTruncated', page.next !== undefined),
  ];
  if (delimiter) nodes.push(element('Delimiter', encode(delimiter)));
  if (token !== undefined) nodes.push(element('ContinuationToken', token));
  else if (after) nodes.push(element('StartAfter', encode(after)));
  if (page.next !== undefined) nodes.push(element('NextContinuationToken', writeToken(page.next)));
  if (call.query.has('encoding-type')) nodes.push(element('EncodingType', 'url'));
  for (const key of page.keys) {
    const record = call.bucket.find(key);
    if (!record) continue;
    nodes.push(
      element('Contents', [
        element('Key', encode(key)),
        element('LastModified', record.modified),
        element('ETag', `"${record.etag}"`),
        element('Size', record.size),
        element('StorageClass', 'STANDARD'),
      ]),
    );
  }
  for (const common of page.prefixes) {
    nodes.push(element('CommonPrefixes', [element('Prefix', encode(common))]));
  }
  return { status: 200, xml: element('ListBucketResult', nodes) };
}

function collectPage(
  all: readonly string[],
  wanted: { prefix: string; delimiter: string; limit: number; from: Position },
): Page {
  const { prefix, delimiter, limit, from } = wanted;
  const page: Page = { keys: [], prefixes: [], next: undefined };
  if (limit === 0) return page;
  let last = from;
  const start = Math.max(
    firstIndex(all, (key) => compareUtf8(key, from.after) > 0),
    firstIndex(all, (key) => compareUtf8(key, prefix) >= 0),
  );
  for (const key of all.slice(start)) {
    if (!key.startsWith(prefix)) break;
    if (last.isPrefix && key.startsWith(last.after)) continue;
    if (page.keys.length + page.prefixes.length === limit) return { ...page, next: last };
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (end === -1) {
      page.keys.push(key);
      last = { after: key, isPrefix: false };
    } else {
      last = { after: key.slice(0, end + delimiter.length), isPrefix: true };
      page.prefixes.push(last.after);
    }
  }
  return page;
}

/** The first index whose key satisfies a test that no smaller key and every larger key satisfies. */
function firstIndex(sorted: readonly string[], test: (key: string) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(sorted[middle] as string)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** `encoding-type=url` lets clients read keys that XML 1.0 cannot carry. */
export function encoding(call: RequestContext): (text: string) => string {
  const type = call.query.get('encoding-type');
  if (type === undefined) return (text) => text;
  if (type !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
  return (text) => text.split('/').map(encodeComponent).join('/');
}

function writeToken({ after, isPrefix }: Position): string {
  return Buffer.from(`${isPrefix ? 'p' : 'k'}${after}`).toString('base64url');
}

function readToken(token: string): Position {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (!/^[pk]/.test(text)) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  }
  return { after: text.slice(1), isPrefix: text.startsWith('p') };
}
