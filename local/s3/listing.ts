import { S3Error } from './errors';
import { pageSize, type RequestContext, type S3Response } from './request-context';
import { element } from './xml';

/** ListObjectsV2: the keys below a prefix, sorted. */
export async function listObjects(call: RequestContext): Promise<S3Response> {
  const prefix = call.query.get('prefix') ?? '';
  const limit = pageSize(call, 'max-keys');
  const token = call.query.get('continuation-token');
  const after = token === undefined ? (call.query.get('start-after') ?? '') : readToken(token);
  const matching = call.bucket.keys().filter((key) => key.startsWith(prefix) && key > after);
  const page = matching.slice(0, limit);
  const last = page.at(-1);
  const isTruncated = last !== undefined && matching.length > page.length;
  return {
    status: 200,
    xml: element('ListBucketResult', [
      element('IsTruncated', isTruncated),
      ...(isTruncated ? [element('NextContinuationToken', Buffer.from(last).toString('base64url'))] : []),
      ...page
        .flatMap((key) => call.bucket.find(key) ?? [])
        .map((record) =>
          element('Contents', [
            element('Key', record.key),
            element('LastModified', record.modified),
            element('ETag', `"${record.etag}"`),
            element('Size', record.size),
          ]),
        ),
    ]),
  };
}

function readToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  if (key === '') throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  return key;
}
