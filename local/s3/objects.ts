import { DEFAULT_CONTENT_TYPE, responseHeaders } from './attributes';
import type { ObjectRecord } from './bucket';
import { evaluateConditions, evaluateRange } from './conditions';
import { S3Error } from './errors';
import {
  type RequestContext,
  requireKey,
  type S3Response,
  verifiedBody,
  wholeSecond,
} from './request-context';

export async function putObject(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const { chunks, result } = verifiedBody(call);
  const blob = await call.bucket.receive(chunks);
  const { size, md5 } = result();
  const etag = call.etagOf(md5);
  const contentType = call.headers.get('content-type') || DEFAULT_CONTENT_TYPE;
  await call.bucket.publish({
    key,
    size,
    etag,
    modified: wholeSecond(),
    headers: { 'content-type': contentType },
    blobs: [blob],
  });
  return { status: 200, headers: { etag: `"${etag}"` } };
}

/** GetObject, and HeadObject, whose response the server sends without its bytes. */
export async function getObject(call: RequestContext): Promise<S3Response> {
  const { record, release } = call.bucket.acquire(requireKey(call));
  try {
    const { range, ...response } = buildGetResponse(call, record);
    const { first, last } = range ?? { first: 0, last: -1 };
    return { ...response, bytes: { chunks: call.bucket.read(record, first, last), release } };
  } catch (error) {
    release();
    throw error;
  }
}

function buildGetResponse(
  call: RequestContext,
  record: ObjectRecord,
): S3Response & { range?: { first: number; last: number } } {
  const headers = responseHeaders(record, call.query);
  const decision = evaluateConditions(record, call.headers);
  if (decision === 'failed') throw new S3Error('PreconditionFailed');
  if (decision === 'not-modified') {
    delete headers['content-length'];
    return { status: 304, headers };
  }
  const range = evaluateRange(record, call.headers);
  // Without Content-Range, as several servers answer.
  if (range === 'unsatisfiable') throw new S3Error('InvalidRange');
  if (range === undefined) return { status: 200, headers, range: { first: 0, last: record.size - 1 } };
  headers['content-length'] = String(range.last - range.first + 1);
  headers['content-range'] = `bytes ${range.first}-${range.last}/${record.size}`;
  return { status: 206, headers, range };
}

export async function deleteObject(call: RequestContext): Promise<S3Response> {
  await call.bucket.delete(requireKey(call));
  return { status: 204 };
}
