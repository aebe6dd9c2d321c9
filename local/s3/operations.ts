import { RESPONSE_OVERRIDES } from './attributes';
import { notImplemented } from './errors';
import { listObjects } from './listing';
import * as multipart from './multipart';
import * as objects from './objects';
import type { RequestContext, S3Response } from './request-context';
import type { RequestTarget } from './target';

type Options = {
  /** Query parameters that identify the operation. Where a value is given, it must match. */
  requires?: Record<string, string | undefined>;
  /** Other query parameters that it implements. */
  query?: readonly string[];
  /** `x-amz-` and conditional headers that it implements, besides those that every request may have. */
  headers?: readonly string[];
  /** Creates an object. Of the headers that S3 stores with one, only Content-Type is implemented. */
  stores?: boolean;
};
type Run = (call: RequestContext) => Promise<S3Response>;
/** `route` is a method and what it's used on: `PUT key`, `GET bucket`. */
type Operation = Options & { name: string; route: string; run: Run };

const overrides = [...RESPONSE_OVERRIDES.keys()];
// If-Modified-Since is ignored next to If-None-Match, and browsers send both when a response has an ETag. Objects have
// no checksums, so the SDK's checksum mode changes nothing.
const readHeaders = ['x-amz-checksum-mode', 'if-match', 'if-none-match', 'if-modified-since', 'if-range'];

/** The first match wins, so operations with more requirements come first. */
const OPERATIONS: readonly Operation[] = [
  operation('UploadPart', 'PUT key', multipart.uploadPart, {
    requires: { uploadId: undefined, partNumber: undefined },
  }),
  operation('ListParts', 'GET key', multipart.listParts, {
    requires: { uploadId: undefined },
    query: ['max-parts', 'part-number-marker'],
  }),
  operation('AbortMultipartUpload', 'DELETE key', multipart.abortMultipartUpload, {
    requires: { uploadId: undefined },
  }),
  operation('CompleteMultipartUpload', 'POST key', multipart.completeMultipartUpload, {
    requires: { uploadId: undefined },
  }),
  operation('CreateMultipartUpload', 'POST key', multipart.createMultipartUpload, {
    requires: { uploads: '' },
    stores: true,
  }),
  operation('PutObject', 'PUT key', objects.putObject, { stores: true }),
  operation('GetObject', 'GET key', objects.getObject, { query: overrides, headers: readHeaders }),
  operation('HeadObject', 'HEAD key', objects.getObject, { query: overrides, headers: readHeaders }),
  operation('DeleteObject', 'DELETE key', objects.deleteObject),
  operation('ListMultipartUploads', 'GET bucket', multipart.listMultipartUploads, {
    requires: { uploads: '' },
    query: ['prefix'],
  }),
  operation('ListObjectsV2', 'GET bucket', listObjects, {
    requires: { 'list-type': '2' },
    query: ['prefix', 'max-keys', 'continuation-token', 'start-after'],
  }),
  operation('HeadBucket', 'HEAD bucket', async () => ({ status: 200 })),
];

function operation(name: string, route: string, run: Run, options: Options = {}): Operation {
  return { name, route, run, ...options };
}

/** Parameters and headers that belong to signing or to the SDK and don't affect the operation. */
const IGNORED_QUERY =
  /^(x-id|X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256))$/;
const IGNORED_HEADER = /^x-amz-(date|content-sha256|user-agent)$/;
const CHECKED_HEADER = /^(x-amz-|if-)/;
const STORED_HEADER = /^(content-(disposition|encoding|language)|cache-control|expires)$/;

/** Finds the operation a request asks for. Throws NotImplemented for anything that would otherwise be ignored. */
export function findOperation(
  target: RequestTarget,
  query: ReadonlyMap<string, string>,
  headers: ReadonlyMap<string, string>,
): Pick<Operation, 'name' | 'run'> {
  const route = `${target.method} ${target.key === undefined ? 'bucket' : 'key'}`;
  const found = OPERATIONS.find(
    (one) =>
      one.route === route &&
      Object.entries(one.requires ?? {}).every(
        ([name, value]) => query.has(name) && (value === undefined || query.get(name) === value),
      ),
  );
  if (!found) throw notImplemented(`${route} with ${[...query.keys()].join(', ') || 'no parameters'}`);
  const { name, requires = {}, query: knownQuery = [], headers: knownHeaders = [] } = found;
  for (const parameter of query.keys()) {
    if (IGNORED_QUERY.test(parameter) || parameter in requires || knownQuery.includes(parameter)) continue;
    throw notImplemented(`${name} with the parameter ${parameter}`);
  }
  for (const header of headers.keys()) {
    const isChecked = CHECKED_HEADER.test(header) && !IGNORED_HEADER.test(header);
    if (!isChecked && !(found.stores && STORED_HEADER.test(header))) continue;
    if (!knownHeaders.includes(header)) throw notImplemented(`${name} with the header ${header}`);
  }
  return found;
}
