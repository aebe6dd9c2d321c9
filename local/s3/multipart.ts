import { createHash } from 'node:crypto';
import { checksumHeaders, parseAttributes } from './attributes';
import type { ObjectRecord } from './bucket';
import { createDigest, isChecksumAlgorithm } from './checksums';
import { S3Error } from './errors';
import { encoding } from './listing';
import { hasIfNoneMatch, receiveBody, truncateToSecond } from './objects';
import { type Checksum, parseExpectation, verifyPayload } from './payload';
import { numberParameter, type RequestContext, requireKey, type S3Response } from './request-context';
import type { Part, Upload } from './uploads';
import { element, readXml, type XmlNode } from './xml';

const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_LISTED_UPLOADS = 1000;

export async function createMultipartUpload(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const algorithm = call.headers.get('x-amz-checksum-algorithm')?.toLowerCase();
  if (algorithm !== undefined && !isChecksumAlgorithm(algorithm)) {
    throw new S3Error('InvalidRequest', 'Checksum algorithm provided is unsupported.');
  }
  // Joining the CRCs of parts into one of the whole is not offered; the SDK's default is COMPOSITE.
  const type = call.headers.get('x-amz-checksum-type') ?? 'COMPOSITE';
  if (type !== 'COMPOSITE' || algorithm === 'crc64nvme') throw new S3Error('NotImplemented');
  const upload = await call.bucket.uploads.create({
    key,
    ...parseAttributes(call.headers),
    ...(algorithm ? { checksumAlgorithm: algorithm } : {}),
  });
  return {
    status: 200,
    headers: algorithm
      ? { 'x-amz-checksum-algorithm': algorithm.toUpperCase(), 'x-amz-checksum-type': type }
      : {},
    xml: element('InitiateMultipartUploadResult', [
      element('Bucket', call.target.bucket),
      element('Key', key),
      element('UploadId', upload.id),
    ]),
  };
}

export async function uploadPart(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const number = numberParameter(call, 'partNumber', { fallback: 0, min: 1, max: MAX_PARTS });
  const { id, checksumAlgorithm } = uploadOf(call);
  const expected = parseExpectation(call.headers, call.payload);
  if (checksumAlgorithm && !expected.checksums.has(checksumAlgorithm)) {
    throw new S3Error('InvalidRequest', `The upload was created with a ${checksumAlgorithm} checksum.`);
  }
  const { blob, size, md5, checksum } = await receiveBody(call, expected);
  const part: Part = { number, etag: md5, size, modified: truncateToSecond(), blob };
  if (checksum && checksum.algorithm === checksumAlgorithm) part.checksum = checksum.value;
  await call.bucket.uploads.addPart(id, key, part);
  return { status: 200, headers: { etag: `"${md5}"`, ...checksumHeaders(checksum) } };
}

export async function completeMultipartUpload(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const id = call.query.get('uploadId') ?? '';
  const ifAbsent = hasIfNoneMatch(call);
  const wanted = await parseRequestedParts(call);
  try {
    await call.bucket.uploads.complete(id, key, async (upload, parts) => {
      const record = assembleObject(upload, selectParts(wanted, parts));
      await call.bucket.publish(record, { onlyIfAbsent: ifAbsent });
      return record.blobs;
    });
  } catch (error) {
    // A client that lost the answer asks again: the same upload completes once and answers the same.
    const completedBefore = call.bucket.find(key)?.uploadId === id;
    if (!(completedBefore && error instanceof S3Error && error.code === 'NoSuchUpload')) throw error;
  }
  const record = call.bucket.find(key);
  if (record?.uploadId !== id) throw new S3Error('NoSuchUpload', undefined, { UploadId: id });
  return completeResponse(call, record);
}

export async function abortMultipartUpload(call: RequestContext): Promise<S3Response> {
  await call.bucket.uploads.abort(uploadOf(call).id, requireKey(call));
  return { status: 204 };
}

export async function listParts(call: RequestContext): Promise<S3Response> {
  const { id, key, initiated } = uploadOf(call);
  const marker = numberParameter(call, 'part-number-marker', { fallback: 0, min: 0, max: MAX_PARTS });
  const asked = numberParameter(call, 'max-parts', {
    fallback: MAX_LISTED_UPLOADS,
    min: 0,
    max: 2 ** 31 - 1,
  });
  const limit = Math.min(asked, MAX_LISTED_UPLOADS);
  const after = [...call.bucket.uploads.parts(id).values()]
    .filter((part) => part.number > marker)
    .sort((a, b) => a.number - b.number);
  const page = after.slice(0, limit);
  return {
    status: 200,
    xml: element('ListPartsResult', [
      element('Bucket', call.target.bucket),
      element('Key', encoding(call)(key)),
      element('UploadId', id),
      element('Initiated', initiated),
      element('PartNumberMarker', marker),
      element('NextPartNumberMarker', page.at(-1)?.number ?? 0),
      element('MaxParts', limit),
      element('IsTruncated', after.length > page.length),
      ...page.map((part) =>
        element('Part', [
          element('PartNumber', part.number),
          element('LastModified', part.modified),
          element('ETag', `"${part.etag}"`),
          element('Size', part.size),
        ]),
      ),
    ]),
  };
}

export async function listMultipartUploads(call: RequestContext): Promise<S3Response> {
  const encode = encoding(call);
  const prefix = call.query.get('prefix') ?? '';
  const keyMarker = call.query.get('key-marker') ?? '';
  const idMarker = call.query.get('upload-id-marker') ?? '';
  const asked = numberParameter(call, 'max-uploads', {
    fallback: MAX_LISTED_UPLOADS,
    min: 0,
    max: 2 ** 31 - 1,
  });
  const limit = Math.min(asked, MAX_LISTED_UPLOADS);
  const after = call.bucket.uploads
    .list()
    .filter(({ key }) => key.startsWith(prefix))
    .filter(({ key, id }) => key > keyMarker || (key === keyMarker && idMarker !== '' && id > idMarker))
    .sort((a, b) => (a.key === b.key ? (a.id < b.id ? -1 : 1) : a.key < b.key ? -1 : 1));
  const page = after.slice(0, limit);
  const last = page.at(-1);
  const truncated = after.length > page.length;
  const nodes: XmlNode[] = [
    element('Bucket', call.target.bucket),
    element('KeyMarker', encode(keyMarker)),
    element('UploadIdMarker', idMarker),
    element('Prefix', encode(prefix)),
    element('MaxUploads', limit),
    element('IsTruncated', truncated),
  ];
  if (truncated && last) {
    nodes.push(element('NextKeyMarker', encode(last.key)), element('NextUploadIdMarker', last.id));
  }
  for (const { key, id, initiated } of page) {
    nodes.push(
      element('Upload', [
        element('Key', encode(key)),
        element('UploadId', id),
        element('Initiated', initiated),
      ]),
    );
  }
  return { status: 200, xml: element('ListMultipartUploadsResult', nodes) };
}

function uploadOf(call: RequestContext): Upload {
  return call.bucket.uploads.get(call.query.get('uploadId') ?? '', requireKey(call));
}

type RequestedPart = { number: number; etag: string; checksum?: string };

async function parseRequestedParts(call: RequestContext): Promise<RequestedPart[]> {
  const expected = parseExpectation(call.headers, call.payload);
  const trailers = new Map<string, string>();
  const body = verifyPayload(call.body(trailers), expected, trailers).chunks;
  const content = await readXml(body, 'CompleteMultipartUpload');
  const parts = Array.isArray(content['Part']) ? (content['Part'] as Record<string, unknown>[]) : [];
  if (parts.length === 0 || parts.length > MAX_PARTS) throw new S3Error('MalformedXML');
  return parts.map((part) => {
    const { PartNumber: number, ETag: etag } = part;
    if (typeof number !== 'string' || !/^\d{1,5}$/.test(number) || typeof etag !== 'string') {
      throw new S3Error('MalformedXML');
    }
    const checksum = Object.entries(part).find(([name]) => name.startsWith('Checksum'))?.[1];
    const wanted: RequestedPart = { number: Number(number), etag: etag.trim().replaceAll('"', '') };
    if (typeof checksum === 'string') wanted.checksum = checksum;
    return wanted;
  });
}

/** Checks order, ETags, checksums and sizes, as CompleteMultipartUpload in the S3 API reference says. */
function selectParts(wanted: RequestedPart[], parts: ReadonlyMap<number, Part>): Part[] {
  if (wanted.some(({ number }, index) => index > 0 && number <= (wanted[index - 1]?.number ?? 0))) {
    throw new S3Error('InvalidPartOrder');
  }
  return wanted.map(({ number, etag, checksum }, index) => {
    const part = parts.get(number);
    if (!part || part.etag !== etag || (checksum !== undefined && part.checksum !== checksum)) {
      throw new S3Error('InvalidPart', undefined, { PartNumber: String(number), ETag: etag });
    }
    if (index < wanted.length - 1 && part.size < MIN_PART_BYTES) {
      throw new S3Error('EntityTooSmall', undefined, {
        ProposedSize: String(part.size),
        MinSizeAllowed: String(MIN_PART_BYTES),
        PartNumber: String(number),
      });
    }
    return part;
  });
}

/** The object's bytes are its parts' bytes where they lie, so completing copies nothing. */
function assembleObject(upload: Upload, parts: Part[]): ObjectRecord {
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')));
  const checksum = compositeChecksum(upload, parts);
  return {
    key: upload.key,
    size: parts.reduce((sum, part) => sum + part.size, 0),
    etag: `${createHash('md5').update(digests).digest('hex')}-${parts.length}`,
    modified: truncateToSecond(),
    headers: upload.headers,
    metadata: upload.metadata,
    blobs: parts.map((part) => part.blob),
    uploadId: upload.id,
    ...(checksum ? { checksum } : {}),
  };
}

function compositeChecksum({ checksumAlgorithm }: Upload, parts: Part[]): Checksum | undefined {
  if (!checksumAlgorithm) return undefined;
  const digest = createDigest(checksumAlgorithm);
  for (const part of parts) digest.update(Buffer.from(part.checksum ?? '', 'base64'));
  const value = `${digest.digest().toString('base64')}-${parts.length}`;
  return { algorithm: checksumAlgorithm, value, type: 'COMPOSITE' };
}

function completeResponse(call: RequestContext, record: ObjectRecord): S3Response {
  const nodes: XmlNode[] = [
    element('Location', `/${call.target.bucket}/${record.key}`),
    element('Bucket', call.target.bucket),
    element('Key', record.key),
    element('ETag', `"${record.etag}"`),
  ];
  if (record.checksum) {
    nodes.push(element(`Checksum${record.checksum.algorithm.toUpperCase()}`, record.checksum.value));
    nodes.push(element('ChecksumType', record.checksum.type));
  }
  return { status: 200, xml: element('CompleteMultipartUploadResult', nodes) };
}
