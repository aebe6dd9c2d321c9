import { checksumHeaders, parseAttributes, responseHeaders } from './attributes';
import type { ObjectRecord } from './bucket';
import { evaluateConditions, evaluateRange } from './conditions';
import { S3Error } from './errors';
import type { Blob } from './files';
import { type PayloadExpectation, type PayloadSummary, parseExpectation, verifyPayload } from './payload';
import { type RequestContext, requireKey, type S3Response } from './request-context';
import { checkKeyLength } from './target';
import { element, readXml } from './xml';

/** Receives a body of which the client said what it is. Nothing is left when it is not that. */
export async function receiveBody(
  call: RequestContext,
  expected: PayloadExpectation = parseExpectation(call.headers, call.payload),
): Promise<PayloadSummary & { blob: Blob }> {
  const trailers = new Map<string, string>();
  const { chunks, result } = verifyPayload(call.body(trailers), expected, trailers);
  const blob = await call.bucket.receive(chunks);
  return { blob, ...result() };
}

/** The time of a change in whole seconds, since Last-Modified cannot say more. */
export function truncateToSecond(date = new Date()): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
}

/** Reads `If-None-Match: *` of a write; S3 knows no other tag there. */
export function hasIfNoneMatch(call: RequestContext): boolean {
  const header = call.headers.get('if-none-match');
  if (header !== undefined && header !== '*') throw new S3Error('NotImplemented');
  return header === '*';
}

export async function putObject(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const ifAbsent = hasIfNoneMatch(call);
  const attributes = parseAttributes(call.headers);
  const expected = parseExpectation(call.headers, call.payload);
  // Told before the body is sent; publishing decides, under the key's lock.
  if (ifAbsent && call.bucket.find(key)) throw new S3Error('PreconditionFailed');
  const { blob, size, md5, checksum } = await receiveBody(call, expected);
  const record: ObjectRecord = {
    key,
    size,
    etag: md5,
    modified: truncateToSecond(),
    ...attributes,
    blobs: [blob],
  };
  if (checksum) record.checksum = checksum;
  await call.bucket.publish(record, { onlyIfAbsent: ifAbsent });
  return { status: 200, headers: { etag: `"${md5}"`, ...checksumHeaders(checksum) } };
}

/** GetObject, and HeadObject, whose answer the server sends without its bytes. */
export async function getObject(call: RequestContext): Promise<S3Response> {
  const { record, release } = call.bucket.acquire(requireKey(call));
  try {
    const { range, ...answer } = buildGetResponse(call, record);
    const { first, last } = range ?? { first: 0, last: -1 };
    return { ...answer, bytes: { chunks: call.bucket.read(record, first, last), release } };
  } catch (error) {
    release();
    throw error;
  }
}

function buildGetResponse(
  call: RequestContext,
  record: ObjectRecord,
): S3Response & { range?: { first: number; last: number } } {
  const range = evaluateRange(record, call.headers);
  const withChecksum = call.headers.get('x-amz-checksum-mode') === 'ENABLED' && range === undefined;
  const headers = responseHeaders(record, call.query, withChecksum);
  const decision = evaluateConditions(record, call.headers);
  if (decision === 'failed') throw new S3Error('PreconditionFailed');
  if (decision === 'not-modified') {
    delete headers['content-length'];
    return { status: 304, headers };
  }
  if (range === 'unsatisfiable') {
    throw new S3Error(
      'InvalidRange',
      undefined,
      { RangeRequested: call.headers.get('range') ?? '', ActualObjectSize: String(record.size) },
      { 'content-range': `bytes */${record.size}` },
    );
  }
  if (range === undefined) return { status: 200, headers, range: { first: 0, last: record.size - 1 } };
  headers['content-length'] = String(range.last - range.first + 1);
  headers['content-range'] = `bytes ${range.first}-${range.last}/${record.size}`;
  return { status: 206, headers, range };
}

export async function deleteObject(call: RequestContext): Promise<S3Response> {
  await call.bucket.delete(requireKey(call));
  return { status: 204 };
}

const MAX_DELETED_KEYS = 1000;

export async function deleteObjects(call: RequestContext): Promise<S3Response> {
  const expected = parseExpectation(call.headers, call.payload);
  const trailers = new Map<string, string>();
  const content = await readXml(verifyPayload(call.body(trailers), expected, trailers).chunks, 'Delete');
  const entries = Array.isArray(content['Object']) ? (content['Object'] as unknown[]) : [];
  const keys = entries.map((entry) => {
    const fields = entry as Record<string, unknown>;
    const key = fields['Key'];
    if (typeof key !== 'string' || key === '') throw new S3Error('MalformedXML');
    if (Object.keys(fields).some((name) => name !== 'Key' && name !== '#text')) {
      throw new S3Error('NotImplemented');
    }
    return key;
  });
  if (keys.length === 0 || keys.length > MAX_DELETED_KEYS) throw new S3Error('MalformedXML');
  for (const key of keys) {
    checkKeyLength(key);
    await call.bucket.delete(key);
  }
  const deleted = content['Quiet'] === 'true' ? [] : keys;
  return {
    status: 200,
    xml: element(
      'DeleteResult',
      deleted.map((key) => element('Deleted', [element('Key', key)])),
    ),
  };
}

export async function copyObject(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const directive = call.headers.get('x-amz-metadata-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') throw new S3Error('InvalidArgument');
  const sourceKey = readCopySource(call);
  if (sourceKey === key && directive === 'COPY') {
    throw new S3Error(
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself without changing its metadata.',
    );
  }
  const { record: source, release } = call.bucket.acquire(sourceKey);
  try {
    const { uploadId: _, ...copied } = source;
    const record: ObjectRecord = {
      ...copied,
      ...(directive === 'REPLACE' ? parseAttributes(call.headers) : {}),
      key,
      modified: truncateToSecond(),
      blobs: await call.bucket.duplicate(source.blobs),
    };
    await call.bucket.publish(record, { onlyIfAbsent: hasIfNoneMatch(call) });
    return {
      status: 200,
      xml: element('CopyObjectResult', [
        element('ETag', `"${record.etag}"`),
        element('LastModified', record.modified),
      ]),
    };
  } finally {
    release();
  }
}

/** The key of `x-amz-copy-source`, which must be in the same bucket. */
function readCopySource(call: RequestContext): string {
  const header = call.headers.get('x-amz-copy-source') ?? '';
  if (header.includes('?')) throw new S3Error('NotImplemented');
  let path: string;
  try {
    path = decodeURIComponent(header).replace(/^\//, '');
  } catch {
    throw new S3Error('InvalidArgument', 'Copy Source must be URL-encoded');
  }
  const prefix = `${call.target.bucket}/`;
  if (!path.startsWith(prefix))
    throw new S3Error('NotImplemented', 'Copies are made within one bucket only.');
  return path.slice(prefix.length);
}
