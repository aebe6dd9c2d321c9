import { createHash } from 'node:crypto';
import { DEFAULT_CONTENT_TYPE } from './attributes';
import type { ObjectRecord } from './bucket';
import { notImplemented, S3Error } from './errors';
import {
  numberParameter,
  pageSize,
  type RequestContext,
  requireKey,
  type S3Response,
  verifiedBody,
  wholeSecond,
} from './request-context';
import type { Part, Upload } from './uploads';
import { element, readXml } from './xml';

const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 5 * 1024 * 1024;

export async function createMultipartUpload(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const contentType = call.headers.get('content-type') || DEFAULT_CONTENT_TYPE;
  const upload = await call.bucket.uploads.create({ key, headers: { 'content-type': contentType } });
  return {
    status: 200,
    xml: element('InitiateMultipartUploadResult', [element('Key', key), element('UploadId', upload.id)]),
  };
}

export async function uploadPart(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const number = numberParameter(call, 'partNumber', { fallback: 0, min: 1, max: MAX_PARTS });
  const { id } = uploadOf(call);
  const { chunks, result } = verifiedBody(call);
  const blob = await call.bucket.receive(chunks);
  const { size, md5 } = result();
  const etag = call.etagOf(md5);
  await call.bucket.uploads.addPart(id, key, { number, etag, size, blob });
  return { status: 200, headers: { etag: `"${etag}"` } };
}

export async function completeMultipartUpload(call: RequestContext): Promise<S3Response> {
  const key = requireKey(call);
  const id = call.query.get('uploadId') ?? '';
  const wanted = await readRequestedParts(call);
  try {
    await call.bucket.uploads.complete(id, key, async (upload, parts) => {
      const record = assembleObject(upload, selectParts(wanted, parts));
      await call.bucket.publish(record);
      return record.blobs;
    });
  } catch (error) {
    // A client that lost the response asks again and gets the same one.
    const completedBefore = call.bucket.find(key)?.uploadId === id;
    if (!(completedBefore && error instanceof S3Error && error.code === 'NoSuchUpload')) throw error;
  }
  const record = call.bucket.find(key);
  if (record?.uploadId !== id) throw new S3Error('NoSuchUpload');
  return {
    status: 200,
    xml: element('CompleteMultipartUploadResult', [
      element('Key', record.key),
      element('ETag', `"${record.etag}"`),
    ]),
  };
}

export async function abortMultipartUpload(call: RequestContext): Promise<S3Response> {
  await call.bucket.uploads.abort(uploadOf(call).id, requireKey(call));
  return { status: 204 };
}

export async function listParts(call: RequestContext): Promise<S3Response> {
  const { id } = uploadOf(call);
  const marker = numberParameter(call, 'part-number-marker', { fallback: 0, min: 0, max: MAX_PARTS });
  const limit = pageSize(call, 'max-parts');
  const after = [...call.bucket.uploads.parts(id).values()]
    .filter((part) => part.number > marker)
    .sort((a, b) => a.number - b.number);
  const page = after.slice(0, limit);
  return {
    status: 200,
    xml: element('ListPartsResult', [
      element('NextPartNumberMarker', page.at(-1)?.number ?? 0),
      element('IsTruncated', after.length > page.length),
      ...page.map((part) =>
        element('Part', [
          element('PartNumber', part.number),
          element('ETag', `"${part.etag}"`),
          element('Size', part.size),
        ]),
      ),
    ]),
  };
}

/** Lists every upload below a prefix on a single page. */
export async function listMultipartUploads(call: RequestContext): Promise<S3Response> {
  const prefix = call.query.get('prefix') ?? '';
  const found = call.bucket.uploads.list().filter(({ key }) => key.startsWith(prefix));
  return {
    status: 200,
    xml: element('ListMultipartUploadsResult', [
      element('IsTruncated', false),
      ...found.map(({ key, id, initiated }) =>
        element('Upload', [element('Key', key), element('UploadId', id), element('Initiated', initiated)]),
      ),
    ]),
  };
}

function uploadOf(call: RequestContext): Upload {
  return call.bucket.uploads.get(call.query.get('uploadId') ?? '', requireKey(call));
}

type RequestedPart = { number: number; etag: string };

async function readRequestedParts(call: RequestContext): Promise<RequestedPart[]> {
  const content = await readXml(verifiedBody(call).chunks, 'CompleteMultipartUpload');
  const parts = Array.isArray(content['Part']) ? (content['Part'] as Record<string, unknown>[]) : [];
  if (parts.length === 0 || parts.length > MAX_PARTS) throw new S3Error('MalformedXML');
  return parts.map(({ PartNumber: number, ETag: etag, ...others }) => {
    const other = Object.keys(others).find((name) => name !== '#text');
    if (other) throw notImplemented(`completing a part with ${other}`);
    if (typeof number !== 'string' || !/^\d{1,5}$/.test(number) || typeof etag !== 'string') {
      throw new S3Error('MalformedXML');
    }
    return { number: Number(number), etag: etag.trim().replaceAll('"', '') };
  });
}

/** Checks order, ETags and sizes as CompleteMultipartUpload does in the S3 API reference. */
function selectParts(wanted: RequestedPart[], parts: ReadonlyMap<number, Part>): Part[] {
  if (wanted.some(({ number }, index) => index > 0 && number <= (wanted[index - 1]?.number ?? 0))) {
    throw new S3Error('InvalidPartOrder');
  }
  return wanted.map(({ number, etag }, index) => {
    const part = parts.get(number);
    if (part?.etag !== etag) throw new S3Error('InvalidPart');
    if (index < wanted.length - 1 && part.size < MIN_PART_BYTES) throw new S3Error('EntityTooSmall');
    return part;
  });
}

/** Returns an object that reuses the parts' blobs, so completing an upload copies nothing. */
function assembleObject(upload: Upload, parts: Part[]): ObjectRecord {
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')));
  return {
    key: upload.key,
    size: parts.reduce((sum, part) => sum + part.size, 0),
    etag: `${createHash('md5').update(digests).digest('hex')}-${parts.length}`,
    modified: wholeSecond(),
    headers: upload.headers,
    blobs: parts.map((part) => part.blob),
    uploadId: upload.id,
  };
}
