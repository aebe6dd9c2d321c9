import { compareUtf8 } from './bucket';
import { S3Error } from './errors';
import { pageSize, type RequestContext, type S3Response } from './request-context';
import { element } from './xml';

/** ListObjectsV2: the keys below a prefix, in the order of their UTF-8 bytes. */
export async function listObjects(call: RequestContext): Promise<S3Response> {
  const prefix = call.query.get('prefix') ?? '';
  const limit = pageSize(call, 'max-keys');
  const token = call.query.get('continuation-token');
  const after = token === undefined ? undefined : readToken(token);
  const matching = call.bucket
    .keys()
    .filter((key) => key.startsWith(prefix) && (after === undefined || compareUtf8(key, after) > 0));
  const page = matching.slice(0, limit);
  const last = page.at(-1);
  const isTruncated = last !== undefined && matching.length > page.length;
  return {
    status: 200,
    xml: element('ListBucketResult', [
      element('Name', call.target.bucket),
      element('Prefix', prefix),
      element('KeyCount', page.length),
      element('MaxKeys', limit),
      element('IsTruncated', isTruncated),
      ...(token === undefined ? [] : [element('ContinuationToken', token)]),
      ...(isTruncated ? [element('NextContinuationToken', Buffer.from(last).toString('base64url'))] : []),
      ...page.flatMap((key) => {
        const record = call.bucket.find(key);
        if (!record) return [];
        return [
          element('Contents', [
            element('Key', key),
            element('LastModified', record.modified),
            element('ETag', `"${record.etag}"`),
            element('Size', record.size),
            element('StorageClass', 'STANDARD'),
          ]),
        ];
      }),
    ]),
  };
}

function readToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  if (key === '') throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  return key;
}
