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

/** A part as storage has it: bytes, and the ETag as it was given. */
export interface StoredPart {
  number: number;
  size: number;
  etag: string;
}

function isUnknownUpload(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchUpload';
}

/** Begins an object that arrives in parts. @returns storage's name of the upload */
export async function beginMultipart(key: string, contentType: string): Promise<string> {
  const begun = await s3().send(
    new CreateMultipartUploadCommand({ Bucket: bucket(), Key: key, ContentType: contentType }),
  );
  if (!begun.UploadId) throw withSafeMessage(new Error('storage gave the multipart upload no id'));
  return begun.UploadId;
}

/**
 * An address to PUT one part to. Its length and MD5 (base64, RFC 1864) are signed, so that storage refuses any
 * other bytes.
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

/** The parts that have arrived, in order; null when storage knows no such upload. */
export async function listParts(key: string, multipartId: string): Promise<StoredPart[] | null> {
  const found: StoredPart[] = [];
  // Not the SDK's paginator: it takes the marker that a last page has, too, for that of another one.
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
    for (const { PartNumber, Size, ETag } of page.Parts ?? []) {
      found.push({ number: PartNumber ?? 0, size: Size ?? 0, etag: ETag ?? '' });
    }
    after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (after);
  return found;
}

/** Makes the object of its parts. That the upload is unknown, as when another call has just done it, is no error. */
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
    if (!isUnknownUpload(error)) throw error;
  }
}

/** Ends one upload and deletes its parts; that there is none is no error. */
export async function abortMultipart(key: string, multipartId: string): Promise<void> {
  try {
    await s3().send(new AbortMultipartUploadCommand({ Bucket: bucket(), Key: key, UploadId: multipartId }));
  } catch (error) {
    if (!isUnknownUpload(error)) throw error;
  }
}

/** Ends every upload to a key, also those that nobody remembers. */
export async function abortMultiparts(key: string): Promise<void> {
  const { Uploads = [] } = await s3().send(
    new ListMultipartUploadsCommand({ Bucket: bucket(), Prefix: key }),
  );
  for (const upload of Uploads) {
    if (upload.Key === key && upload.UploadId) await abortMultipart(key, upload.UploadId);
  }
}
