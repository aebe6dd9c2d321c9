import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { withSafeMessage } from '@/lib/safe-error';
import { bucket, s3 } from './storage';

/** A part that has arrived in storage. */
export interface StoredPart {
  number: number;
  /** In bytes. */
  size: number;
  /** In quotes, as storage returned it. In encrypted buckets it isn't an MD5, though it may look like one. */
  etag: string;
}

/** Returns whether a part's ETag is this MD5 (base64). */
export function isEtagOfMd5({ etag }: StoredPart, md5: string): boolean {
  return etag.replaceAll('"', '').toLowerCase() === Buffer.from(md5, 'base64').toString('hex');
}

function isUnknownUpload(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchUpload';
}

/** Starts an upload in parts. @returns storage's id for the upload */
export async function beginMultipart(key: string, contentType: string): Promise<string> {
  const begun = await s3().send(
    new CreateMultipartUploadCommand({ Bucket: bucket(), Key: key, ContentType: contentType }),
  );
  if (!begun.UploadId) throw withSafeMessage(new Error('storage gave the multipart upload no id'));
  return begun.UploadId;
}

/**
 * Returns a signed URL to PUT one part to. Its length and MD5 (base64, RFC 1864) are signed, so that storage rejects
 * any other bytes.
 */
export function presignPart(
  upload: { key: string; multipartId: string; seconds: number },
  part: { number: number; size: number; md5: string },
): Promise<string> {
  return getSignedUrl(
    s3(),
    new UploadPartCommand({
      Bucket: bucket(),
      Key: upload.key,
      UploadId: upload.multipartId,
      PartNumber: part.number,
      ContentLength: part.size,
      ContentMD5: part.md5,
    }),
    { expiresIn: upload.seconds, signableHeaders: new Set(['host', 'content-length', 'content-md5']) },
  );
}

/** Returns the parts that have arrived, in order; null if storage has no such upload. */
export async function listParts(key: string, multipartId: string): Promise<StoredPart[] | null> {
  // SeaweedFS lists a part that was sent twice two times, the latest last.
  const found = new Map<number, StoredPart>();
  // Not the SDK's paginator, which asks for another page if the last one has a marker.
  let after: string | undefined;
  do {
    const asked = { Bucket: bucket(), Key: key, UploadId: multipartId, PartNumberMarker: after };
    const page = await s3()
      .send(new ListPartsCommand(asked))
      .catch((error: unknown) => {
        if (isUnknownUpload(error)) return null;
        throw error;
      });
    if (!page) return null;
    for (const { PartNumber: number = 0, Size: size = 0, ETag: etag = '' } of page.Parts ?? []) {
      found.set(number, { number, size, etag });
    }
    after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (after);
  return [...found.values()].sort((one, other) => one.number - other.number);
}

/**
 * Assembles the parts into an object. An unknown upload isn't an error: another call may have just assembled it. Nor is
 * a part that was replaced since it was listed: there's no object then.
 */
export async function completeMultipart(
  key: string,
  multipartId: string,
  parts: readonly StoredPart[],
): Promise<void> {
  try {
    await s3().send(
      new CompleteMultipartUploadCommand({
        Bucket: bucket(),
        Key: key,
        UploadId: multipartId,
        MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
      }),
    );
  } catch (error) {
    if (!isUnknownUpload(error) && !(error instanceof Error && error.name === 'InvalidPart')) throw error;
  }
}

/** Aborts an upload and deletes its parts. An unknown upload isn't an error. */
export async function abortMultipart(key: string, multipartId: string): Promise<void> {
  try {
    await s3().send(new AbortMultipartUploadCommand({ Bucket: bucket(), Key: key, UploadId: multipartId }));
  } catch (error) {
    if (!isUnknownUpload(error)) throw error;
  }
}

/** Aborts every upload to a key, including those that no row refers to. */
export async function abortMultiparts(key: string): Promise<void> {
  const { Uploads = [] } = await s3().send(
    new ListMultipartUploadsCommand({ Bucket: bucket(), Prefix: key }),
  );
  for (const upload of Uploads) {
    if (upload.Key === key && upload.UploadId) await abortMultipart(key, upload.UploadId);
  }
}
