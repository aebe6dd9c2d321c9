import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { bucket, callStorage, s3 } from './storage';
import { listUploads } from './storage-listing';

/** Some servers copy every part of a large file before they respond. In milliseconds. */
const ASSEMBLY = { total: 180_000 };

/** A part that has arrived in storage. */
export interface StoredPart {
  number: number;
  /** In bytes. */
  size: number;
  /** In quotes, as storage returned it. In encrypted buckets it isn't an MD5, though it may look like one. */
  etag: string;
}

/** Returns whether the ETag of a part or an object is this MD5 (base64). */
export function isEtagOfMd5({ etag }: Pick<StoredPart, 'etag'>, md5: string): boolean {
  return etag.replaceAll('"', '').toLowerCase() === Buffer.from(md5, 'base64').toString('hex');
}

/** Returns null for an upload that storage doesn't know. @throws any other error */
function nullIfUnknown(error: unknown): null {
  if (error instanceof Error && error.name === 'NoSuchUpload') return null;
  throw error;
}

/** Starts an upload in parts. @returns storage's id for the upload */
export async function beginMultipart(key: string, contentType: string): Promise<string> {
  const begun = await callStorage(
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

/** Sends one part. @returns it as storage has it now */
export async function putPart(
  upload: { key: string; multipartId: string },
  number: number,
  body: Buffer,
  signal?: AbortSignal,
): Promise<StoredPart> {
  const sent = await callStorage(
    new UploadPartCommand({
      Bucket: bucket(),
      Key: upload.key,
      UploadId: upload.multipartId,
      PartNumber: number,
      Body: body,
      ContentLength: body.length,
      ContentMD5: createHash('md5').update(body).digest('base64'),
    }),
    { signal },
  );
  return { number, size: body.length, etag: sent.ETag ?? '' };
}

/**
 * Returns the parts that have arrived; null if storage has no such upload. SeaweedFS lists a part that was sent twice two
 * times, in any order.
 */
export async function listParts(key: string, multipartId: string): Promise<StoredPart[] | null> {
  const found: StoredPart[] = [];
  // Not the SDK's paginator, which asks for another page if the last one has a marker.
  let after: string | undefined;
  do {
    const asked = { Bucket: bucket(), Key: key, UploadId: multipartId, PartNumberMarker: after };
    const page = await callStorage(new ListPartsCommand(asked)).catch(nullIfUnknown);
    if (!page) return null;
    for (const { PartNumber: number = 0, Size: size = 0, ETag: etag = '' } of page.Parts ?? []) {
      found.push({ number, size, etag });
    }
    after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (after);
  // SeaweedFS lists no parts of an upload that it doesn't know.
  if (found.length === 0 && !(await listUploadIds(key)).includes(multipartId)) return null;
  return found;
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
  const command = new CompleteMultipartUploadCommand({
    Bucket: bucket(),
    Key: key,
    UploadId: multipartId,
    MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
  });
  try {
    await callStorage(command, ASSEMBLY).catch(nullIfUnknown);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'InvalidPart')) throw error;
  }
}

/** Aborts an upload and deletes its parts. An unknown upload isn't an error. */
export async function abortMultipart(key: string, multipartId: string): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket(), Key: key, UploadId: multipartId });
  await callStorage(command).catch(nullIfUnknown);
}

/** Returns storage's ids of the unfinished uploads to a key. */
async function listUploadIds(key: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of listUploads(key)) {
    ids.push(...page.flatMap((upload) => (upload.key === key ? [upload.id] : [])));
  }
  return ids;
}

/** Aborts every upload to a key, including those that no row refers to. */
export async function abortMultiparts(key: string): Promise<void> {
  for (const id of await listUploadIds(key)) await abortMultipart(key, id);
}

/** Aborts every upload to keys with a prefix; on MinIO, only to exactly that key. */
export async function abortMultipartsUnder(prefix: string): Promise<void> {
  for await (const page of listUploads(prefix)) {
    for (const { key, id } of page) await abortMultipart(key, id);
  }
}

/** The smallest that S3 accepts is 5 MiB. R2 wants all but the last one to be equal. */
const PART_BYTES = 8 * 1024 * 1024;

/** Writes an object from beginning to end, in parts, with at most one of them in memory. */
export class ObjectWriter {
  readonly #sent: StoredPart[] = [];
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  private constructor(
    private readonly upload: { key: string; multipartId: string },
    private readonly signal?: AbortSignal,
  ) {}

  /** Starts a new object. It appears once it's closed. */
  static async open(key: string, contentType: string, signal?: AbortSignal): Promise<ObjectWriter> {
    return new ObjectWriter({ key, multipartId: await beginMultipart(key, contentType) }, signal);
  }

  async write(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    while (this.#waitingBytes >= PART_BYTES) await this.#sendPart(PART_BYTES);
  }

  /** Sends what's left, and makes the object appear. */
  async close(): Promise<void> {
    if (this.#waitingBytes > 0) await this.#sendPart(this.#waitingBytes);
    await completeMultipart(this.upload.key, this.upload.multipartId, this.#sent);
  }

  async #sendPart(bytes: number): Promise<void> {
    const all = Buffer.concat(this.#waiting);
    this.#waiting = all.length > bytes ? [all.subarray(bytes)] : [];
    this.#waitingBytes = all.length - bytes;
    this.#sent.push(await putPart(this.upload, this.#sent.length + 1, all.subarray(0, bytes), this.signal));
  }
}
