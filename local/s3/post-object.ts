import type { IncomingMessage } from 'node:http';
import { encodeHeaderValue, parseAttributes } from './attributes';
import type { Bucket, ObjectRecord } from './bucket';
import { S3Error } from './errors';
import { truncateToSecond } from './objects';
import { MAX_PUT_BYTES, parseDigests, verifyPayload } from './payload';
import { type PostForm, readForm } from './post-form';
import { checkPolicy, parsePolicy } from './post-policy';
import type { S3Response } from './request-context';
import { authenticatePolicy, type Credentials } from './signature';
import { checkKeyLength } from './target';
import { element } from './xml';

/** Fields with a meaning here. Others are refused, since a field that is ignored looks like one obeyed. */
const KNOWN_FIELD =
  /^(key|bucket|policy|acl|success_action_status|content-(type|disposition|encoding|language|md5)|cache-control|expires|x-amz-(algorithm|credential|date|signature)|x-amz-meta-.*|x-amz-checksum-.*|x-amz-storage-class|x-ignore-.*)$/;
const STATUSES = new Map([
  ['200', 200],
  ['201', 201],
]);

export type PostContext = {
  request: IncomingMessage;
  bucket: Bucket;
  bucketName: string;
  credentials: Credentials;
  /** The server's address, for Location. */
  url: string;
};

/** PostObject: an upload from a browser's form under a signed policy. */
export function postObject(context: PostContext): Promise<S3Response> {
  return readForm(context.request, (form) => storeForm(context, form));
}

async function storeForm(context: PostContext, form: PostForm): Promise<S3Response> {
  const { bucket, bucketName, credentials } = context;
  authenticatePolicy(form.fields, credentials);
  const policy = parsePolicy(form.fields.get('policy') ?? '');

  // S3 expands ${filename} before it checks the policy.
  const key = (form.fields.get('key') ?? '').replace(/\$\{filename\}/g, () => form.fileName);
  const fields = new Map([...form.fields, ['key', key], ['bucket', form.fields.get('bucket') ?? bucketName]]);
  checkPolicy(policy, fields, new Date());
  if (fields.get('bucket') !== bucketName) throw new S3Error('AccessDenied');
  if (key === '') throw new S3Error('InvalidArgument', 'User key must have a length greater than 0.');
  checkKeyLength(key);
  refuseUnknownFields(fields);

  const headers = new Map(
    [...fields].map(([name, value]) => [name, encodeHeaderValue(value, name)] as const),
  );
  const { chunks, result } = verifyPayload(
    form.file,
    {
      minSize: policy.minBytes,
      maxSize: Math.min(policy.maxBytes, MAX_PUT_BYTES),
      ...parseDigests(fields),
    },
    new Map(),
  );
  const attributes = parseAttributes(headers);
  const blob = await bucket.receive(chunks);
  const { size, md5, checksum } = result();
  const record: ObjectRecord = {
    key,
    size,
    etag: md5,
    modified: truncateToSecond(),
    ...attributes,
    blobs: [blob],
  };
  if (checksum) record.checksum = checksum;
  await bucket.publish(record, { onlyIfAbsent: false });

  const status = STATUSES.get(fields.get('success_action_status') ?? '') ?? 204;
  const location = `${context.url}/${bucketName}/${encodeURIComponent(key)}`;
  const answer: S3Response = { status, headers: { etag: `"${md5}"`, location } };
  if (status === 201) {
    answer.xml = element('PostResponse', [
      element('Location', location),
      element('Bucket', bucketName),
      element('Key', key),
      element('ETag', `"${md5}"`),
    ]);
  }
  return answer;
}

function refuseUnknownFields(fields: ReadonlyMap<string, string>): void {
  const unknown = [...fields.keys()].filter((name) => !KNOWN_FIELD.test(name));
  const acl = fields.get('acl') ?? 'private';
  const storageClass = fields.get('x-amz-storage-class') ?? 'STANDARD';
  if (unknown.length > 0 || acl !== 'private' || storageClass !== 'STANDARD') {
    throw new S3Error('NotImplemented', undefined, { Fields: unknown.join(', ') });
  }
}
