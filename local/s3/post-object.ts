import type { IncomingMessage } from 'node:http';
import { DEFAULT_CONTENT_TYPE } from './attributes';
import type { Bucket } from './bucket';
import { notImplemented, S3Error } from './errors';
import { MAX_PUT_BYTES, parseMd5, verifyPayload } from './payload';
import { type PostForm, readForm } from './post-form';
import { checkPolicy, parsePolicy } from './post-policy';
import { type S3Response, wholeSecond } from './request-context';
import { authenticatePolicy, type Credentials } from './signature';

/** The implemented fields. Others are refused, because ignoring one would look like obeying it. */
const KNOWN_FIELD = /^(key|bucket|policy|content-(type|md5)|x-amz-(algorithm|credential|date|signature))$/;

export type PostContext = {
  request: IncomingMessage;
  bucket: Bucket;
  bucketName: string;
  credentials: Credentials;
  etagOf: (md5: string) => string;
};

/** PostObject: an upload from a form with a signed policy. */
export function postObject(context: PostContext): Promise<S3Response> {
  return readForm(context.request, (form) => storeForm(context, form));
}

async function storeForm(
  { bucket, bucketName, credentials, etagOf }: PostContext,
  form: PostForm,
): Promise<S3Response> {
  authenticatePolicy(form.fields, credentials);
  const policy = parsePolicy(form.fields.get('policy') ?? '');
  const key = form.fields.get('key') ?? '';
  const fields = new Map([...form.fields, ['bucket', form.fields.get('bucket') ?? bucketName]]);
  checkPolicy(policy, fields, new Date());
  if (fields.get('bucket') !== bucketName) throw new S3Error('AccessDenied');
  if (key === '') throw new S3Error('InvalidArgument', 'User key must have a length greater than 0.');
  const unknown = [...fields.keys()].filter((name) => !KNOWN_FIELD.test(name));
  if (unknown.length > 0) throw notImplemented(`the fields ${unknown.join(', ')}`);

  const md5 = fields.get('content-md5');
  const { chunks, result } = verifyPayload(form.file, {
    minSize: policy.minBytes,
    maxSize: Math.min(policy.maxBytes, MAX_PUT_BYTES),
    ...(md5 === undefined ? {} : { md5: parseMd5(md5) }),
  });
  const blob = await bucket.receive(chunks);
  const { size, md5: digest } = result();
  const etag = etagOf(digest);
  await bucket.publish({
    key,
    size,
    etag,
    modified: wholeSecond(),
    headers: { 'content-type': fields.get('content-type') || DEFAULT_CONTENT_TYPE },
    blobs: [blob],
  });
  return { status: 204, headers: { etag: `"${etag}"` } };
}
