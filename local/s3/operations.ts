import { RESPONSE_OVERRIDES } from './attributes';
import { S3Error } from './errors';
import { listObjects } from './listing';
import * as multipart from './multipart';
import * as objects from './objects';
import type { RequestContext, S3Response } from './request-context';
import type { RequestTarget } from './target';

type Options = {
  /** Query parameters that make a request this operation. A value, where given, must be that one. */
  requires?: Record<string, string | undefined>;
  /** Further query parameters that it implements. */
  query?: readonly string[];
  /** `x-amz-` and conditional headers that it implements, besides those of every request. */
  headers?: readonly string[];
  /** Makes an object. Of the headers that S3 stores with one, only Content-Type is implemented. */
  stores?: boolean;
};
type Run = (call: RequestContext) => Promise<S3Response>;
/** `route` is a method and what it's used on: `PUT key`, `GET bucket`. */
type Operation = Options & { name: string; route: string; run: Run };

const overrides = [...RESPONSE_OVERRIDES.keys()];
// Stored objects have no checksums, so the SDK's checksum mode changes nothing.
const readHeaders = ['x-amz-checksum-mode', 'if-match', 'if-none-match', 'if-modified-since', 'if-range'];

/** The first that fits counts, so those with more requirements come first. */
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
  operation('DeleteObjects', 'POST bucket', objects.deleteObjects, {
    requires: { delete: '' },
    headers: ['x-amz-checksum-crc32', 'x-amz-sdk-checksum-algorithm'],
  }),
  operation('ListMultipartUploads', 'GET bucket', multipart.listMultipartUploads, {
    requires: { uploads: '' },
    query: ['prefix'],
  }),
  operation('ListObjectsV2', 'GET bucket', listObjects, {
    requires: { 'list-type': '2' },
    query: ['prefix', 'max-keys', 'continuation-token'],
  }),
  operation('HeadBucket', 'HEAD bucket', async () => ({ status: 200 })),
];

function operation(name: string, route: string, run: Run, options: Options = {}): Operation {
  return { name, route, run, ...options };
}

/** Parameters and headers that belong to signing or to the SDK, and say nothing about the operation. */
const IGNORED_QUERY =
  /^(x-id|X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256))$/;
const IGNORED_HEADER = /^x-amz-(date|content-sha256|user-agent)$/;
const CHECKED_HEADER = /^(x-amz-|if-)/;
const STORED_HEADER = /^(content-(disposition|encoding|language)|cache-control|expires)$/;

/** Finds what a request asks for. Throws NotImplemented for anything that would otherwise be ignored. */
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
  if (!found) throw new S3Error('NotImplemented');
  const { name: Operation, requires = {}, query: knownQuery = [], headers: knownHeaders = [] } = found;
  for (const Parameter of query.keys()) {
    if (IGNORED_QUERY.test(Parameter) || Parameter in requires || knownQuery.includes(Parameter)) continue;
    throw new S3Error('NotImplemented', undefined, { Operation, Parameter });
  }
  for (const Header of headers.keys()) {
    const isChecked = CHECKED_HEADER.test(Header) && !IGNORED_HEADER.test(Header);
    if (!isChecked && !(found.stores && STORED_HEADER.test(Header))) continue;
    if (!knownHeaders.includes(Header)) {
      throw new S3Error('NotImplemented', undefined, { Operation, Header });
    }
  }
  return found;
}
