import { S3Error } from './errors';
import { listObjects } from './listing';
import * as multipart from './multipart';
import * as objects from './objects';
import type { RequestContext, S3Response } from './request-context';
import type { RequestTarget } from './target';

type Operation = {
  name: string;
  method: string;
  on: 'bucket' | 'key';
  /** Query parameters that make a request this operation. A value, where given, must be that one. */
  requires?: Record<string, string | undefined>;
  /** Further query parameters that it understands. */
  query?: RegExp;
  /** `x-amz-` and conditional headers that it understands, beside those of every request. */
  headers?: RegExp;
  run(call: RequestContext): Promise<S3Response>;
};

const RESPONSE_OVERRIDES = /^response-(content-(type|disposition|encoding|language)|cache-control|expires)$/;
const ATTRIBUTES = 'x-amz-meta-.+|x-amz-acl|x-amz-storage-class';
const CHECKSUMS =
  'x-amz-checksum-(crc32|crc32c|crc64nvme|sha1|sha256)|x-amz-sdk-checksum-algorithm|x-amz-trailer';
const READ_CONDITIONS =
  /^(x-amz-checksum-mode|if-match|if-none-match|if-modified-since|if-unmodified-since|if-range)$/;

/** The first that fits is meant, so those with more requirements stand first. */
const OPERATIONS: readonly Operation[] = [
  {
    name: 'UploadPart',
    method: 'PUT',
    on: 'key',
    requires: { uploadId: undefined, partNumber: undefined },
    headers: new RegExp(`^(${CHECKSUMS})$`),
    run: multipart.uploadPart,
  },
  {
    name: 'ListParts',
    method: 'GET',
    on: 'key',
    requires: { uploadId: undefined },
    query: /^(max-parts|part-number-marker|encoding-type)$/,
    run: multipart.listParts,
  },
  {
    name: 'AbortMultipartUpload',
    method: 'DELETE',
    on: 'key',
    requires: { uploadId: undefined },
    run: multipart.abortMultipartUpload,
  },
  {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    on: 'key',
    requires: { uploadId: undefined },
    headers: new RegExp(`^(if-none-match|${CHECKSUMS})$`),
    run: multipart.completeMultipartUpload,
  },
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    on: 'key',
    requires: { uploads: '' },
    headers: new RegExp(`^(x-amz-checksum-algorithm|x-amz-checksum-type|${ATTRIBUTES})$`),
    run: multipart.createMultipartUpload,
  },
  {
    name: 'PutObject',
    method: 'PUT',
    on: 'key',
    headers: new RegExp(`^(if-none-match|${CHECKSUMS}|${ATTRIBUTES})$`),
    run: objects.putObject,
  },
  {
    name: 'GetObject',
    method: 'GET',
    on: 'key',
    query: RESPONSE_OVERRIDES,
    headers: READ_CONDITIONS,
    run: objects.getObject,
  },
  {
    name: 'HeadObject',
    method: 'HEAD',
    on: 'key',
    query: RESPONSE_OVERRIDES,
    headers: READ_CONDITIONS,
    run: objects.getObject,
  },
  { name: 'DeleteObject', method: 'DELETE', on: 'key', run: objects.deleteObject },
  {
    name: 'DeleteObjects',
    method: 'POST',
    on: 'bucket',
    requires: { delete: '' },
    headers: new RegExp(`^(${CHECKSUMS})$`),
    run: objects.deleteObjects,
  },
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    requires: { uploads: '' },
    query: /^(prefix|max-uploads|key-marker|upload-id-marker|encoding-type)$/,
    run: multipart.listMultipartUploads,
  },
  {
    name: 'ListObjectsV2',
    method: 'GET',
    on: 'bucket',
    requires: { 'list-type': '2' },
    query: /^(prefix|delimiter|max-keys|start-after|continuation-token|encoding-type)$/,
    run: listObjects,
  },
  {
    name: 'HeadBucket',
    method: 'HEAD',
    on: 'bucket',
    run: async ({ region }) => ({ status: 200, headers: { 'x-amz-bucket-region': region } }),
  },
];

const COPY: Operation = {
  name: 'CopyObject',
  method: 'PUT',
  on: 'key',
  headers: new RegExp(`^(x-amz-copy-source|x-amz-metadata-directive|if-none-match|${ATTRIBUTES})$`),
  run: objects.copyObject,
};

/** Parameters and headers that belong to signing or to the SDK, and say nothing about the operation. */
const IGNORED_QUERY =
  /^(x-id|X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256))$/;
const IGNORED_HEADER = /^x-amz-(date|content-sha256|user-agent|decoded-content-length)$/;
const CHECKED_HEADER = /^(x-amz-|if-)/;
/** Headers that are understood with the one value that asks for nothing special. */
const REQUIRED_VALUES = new Map([
  ['x-amz-acl', 'private'],
  ['x-amz-storage-class', 'STANDARD'],
]);

/** Finds what a request asks for. Throws NotImplemented for anything that would otherwise be ignored. */
export function findOperation(
  target: RequestTarget,
  query: ReadonlyMap<string, string>,
  headers: ReadonlyMap<string, string>,
): Pick<Operation, 'name' | 'run'> {
  const on = target.key === undefined ? 'bucket' : 'key';
  const found = OPERATIONS.find(
    (operation) =>
      operation.method === target.method &&
      operation.on === on &&
      Object.entries(operation.requires ?? {}).every(
        ([name, value]) => query.has(name) && (value === undefined || query.get(name) === value),
      ),
  );
  if (!found) throw new S3Error('NotImplemented');
  const operation = found.name === 'PutObject' && headers.has('x-amz-copy-source') ? COPY : found;

  for (const name of query.keys()) {
    const known =
      IGNORED_QUERY.test(name) ||
      Object.hasOwn(operation.requires ?? {}, name) ||
      operation.query?.test(name);
    // A presigned address carries x-amz- headers in its query; they are judged as headers below.
    if (!known && !name.toLowerCase().startsWith('x-amz-')) {
      throw new S3Error('NotImplemented', undefined, { Parameter: name });
    }
  }
  for (const [name, value] of headers) {
    if (!CHECKED_HEADER.test(name) || IGNORED_HEADER.test(name)) continue;
    if (!operation.headers?.test(name) || (REQUIRED_VALUES.get(name) ?? value) !== value) {
      throw new S3Error('NotImplemented', undefined, { Header: name });
    }
  }
  return operation;
}
