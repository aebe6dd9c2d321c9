import { createHash } from 'node:crypto';
import { attributesOf, checksumHeaders } from './attributes';
import type { ObjectRecord } from './bucket';
import { type Answer, type Call, keyOf, numberParameter } from './call';
import { createDigest, isChecksumAlgorithm } from './checksums';
import { StorageError } from './errors';
import { encoding } from './listing';
import { onlyIfAbsent, receiveBody, wholeSecond } from './objects';
import { type Checksum, expectationOf, measure } from './payload';
import type { Part, Upload } from './uploads';
import { element, readXml, type XmlNode } from './xml';

const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_LISTED = 1000;

export async function createMultipartUpload(call: Call): Promise<Answer> {
  const key = keyOf(call);
  const algorithm = call.headers.get('x-amz-checksum-algorithm')?.toLowerCase();
  if (algorithm !== undefined && !isChecksumAlgorithm(algorithm)) {
    throw new StorageError('InvalidRequest', 'Checksum algorithm provided is unsupported.');
  }
  // Joining the CRCs of parts into one of the whole is not offered; the SDK's default is COMPOSITE.
  const type = call.headers.get('x-amz-checksum-type') ?? 'COMPOSITE';
  if (type !== 'COMPOSITE' || algorithm === 'crc64nvme') throw new StorageError('NotImplemented');
  const upload = await call.bucket.uploads.create({
    key,
    ...attributesOf(call.headers),
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

export async function uploadPart(call: Call): Promise<Answer> {
  const key = keyOf(call);
  const number = numberParameter(call, 'partNumber', { fallback: 0, min: 1, max: MAX_PARTS });
  const { id, checksumAlgorithm } = uploadOf(call);
  const expected = expectationOf(call.headers, call.payload);
  if (checksumAlgorithm && !expected.checksums.has(checksumAlgorithm)) {
    throw new StorageError('InvalidRequest', `The upload was created with a ${checksumAlgorithm} checksum.`);
  }
  const { blob, size, md5, checksum } = await receiveBody(call, expected);
  const part: Part = { number, etag: md5, size, modified: wholeSecond(), blob };
  if (checksum && checksum.algorithm === checksumAlgorithm) part.checksum = checksum.value;
  await call.bucket.uploads.addPart(id, key, part);
  return { status: 200, headers: { etag: `"${md5}"`, ...checksumHeaders(checksum) } };
}

export async function completeMultipartUpload(call: Call): Promise<Answer> {
  const key = keyOf(call);
  const id = call.query.get('uploadId') ?? '';
  const ifAbsent = onlyIfAbsent(call);
  const wanted = await readWantedParts(call);
  try {
    await call.bucket.uploads.complete(id, key, async (upload, parts) => {
      const record = joinParts(upload, chooseParts(wanted, parts));
      await call.bucket.publish(record, { onlyIfAbsent: ifAbsent });
      return record.blobs;
    });
  } catch (error) {
    // A client that lost the answer asks again: the same upload completes once and answers the same.
    const completedBefore = call.bucket.find(key)?.uploadId === id;
    if (!(completedBefore && error instanceof StorageError && error.code === 'NoSuchUpload')) throw error;
  }
  const record = call.bucket.find(key);
  if (record?.uploadId !== id) throw new StorageError('NoSuchUpload', undefined, { UploadId: id });
  return completed(call, record);
}

export async function abortMultipartUpload(call: Call): Promise<Answer> {
  await call.bucket.uploads.abort(uploadOf(call).id, keyOf(call));
  return { status: 204 };
}

export async function listParts(call: Call): Promise<Answer> {
  const { id, key, initiated } = uploadOf(call);
  const marker = numberParameter(call, 'part-number-marker', { fallback: 0, min: 0, max: MAX_PARTS });
  const asked = numberParameter(call, 'max-parts', { fallback: MAX_LISTED, min: 0, max: 2 ** 31 - 1 });
  const limit = Math.min(asked, MAX_LISTED);
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

export async function listMultipartUploads(call: Call): Promise<Answer> {
  const encode = encoding(call);
  const prefix = call.query.get('prefix') ?? '';
  const keyMarker = call.query.get('key-marker') ?? '';
  const idMarker = call.query.get('upload-id-marker') ?? '';
  const asked = numberParameter(call, 'max-uploads', { fallback: MAX_LISTED, min: 0, max: 2 ** 31 - 1 });
  const limit = Math.min(asked, MAX_LISTED);
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

function uploadOf(call: Call): Upload {
  return call.bucket.uploads.get(call.query.get('uploadId') ?? '', keyOf(call));
}

type WantedPart = { number: number; etag: string; checksum?: string };

async function readWantedParts(call: Call): Promise<WantedPart[]> {
  const expected = expectationOf(call.headers, call.payload);
  const trailers = new Map<string, string>();
  const body = measure(call.body(trailers), expected, trailers).chunks;
  const content = await readXml(body, 'CompleteMultipartUpload');
  const parts = Array.isArray(content['Part']) ? (content['Part'] as Record<string, unknown>[]) : [];
  if (parts.length === 0 || parts.length > MAX_PARTS) throw new StorageError('MalformedXML');
  return parts.map((part) => {
    const { PartNumber: number, ETag: etag } = part;
    if (typeof number !== 'string' || !/^\d{1,5}$/.test(number) || typeof etag !== 'string') {
      throw new StorageError('MalformedXML');
    }
    const checksum = Object.entries(part).find(([name]) => name.startsWith('Checksum'))?.[1];
    const wanted: WantedPart = { number: Number(number), etag: etag.trim().replaceAll('"', '') };
    if (typeof checksum === 'string') wanted.checksum = checksum;
    return wanted;
  });
}

/** Checks order, ETags, checksums and sizes, as CompleteMultipartUpload in the S3 API reference says. */
function chooseParts(wanted: WantedPart[], parts: ReadonlyMap<number, Part>): Part[] {
  if (wanted.some(({ number }, index) => index > 0 && number <= (wanted[index - 1]?.number ?? 0))) {
    throw new StorageError('InvalidPartOrder');
  }
  return wanted.map(({ number, etag, checksum }, index) => {
    const part = parts.get(number);
    if (!part || part.etag !== etag || (checksum !== undefined && part.checksum !== checksum)) {
      throw new StorageError('InvalidPart', undefined, { PartNumber: String(number), ETag: etag });
    }
    if (index < wanted.length - 1 && part.size < MIN_PART_BYTES) {
      throw new StorageError('EntityTooSmall', undefined, {
        ProposedSize: String(part.size),
        MinSizeAllowed: String(MIN_PART_BYTES),
        PartNumber: String(number),
      });
    }
    return part;
  });
}

/** The object's bytes are its parts' bytes where they lie, so completing copies nothing. */
function joinParts(upload: Upload, parts: Part[]): ObjectRecord {
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')));
  const checksum = compositeChecksum(upload, parts);
  return {
    key: upload.key,
    size: parts.reduce((sum, part) => sum + part.size, 0),
    etag: `${createHash('md5').update(digests).digest('hex')}-${parts.length}`,
    modified: wholeSecond(),
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

function completed(call: Call, record: ObjectRecord): Answer {
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
