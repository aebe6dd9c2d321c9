import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { env } from '@/lib/env';
import { withSafeMessage } from '@/lib/safe-error';

let client: S3Client | undefined;

/** The client of the bucket's service. */
export function s3(): S3Client {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_FORCE_PATH_STYLE } = env();
  client ??= new S3Client({
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT } : {}),
    region: S3_REGION,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    forcePathStyle: S3_FORCE_PATH_STYLE,
    // Many S3-compatible servers know none of the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A connection on which nothing moves for a minute is dead.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });
  return client;
}

export const bucket = () => env().S3_BUCKET;

/** Throws when the bucket cannot be reached within `timeoutMs`. */
export async function checkStorage(timeoutMs: number): Promise<void> {
  await s3().send(new HeadBucketCommand({ Bucket: bucket() }), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
}

/** Returns whether storage answers within `timeoutMs`, be it with a refusal. */
export function isStorageReachable(timeoutMs: number): Promise<boolean> {
  return checkStorage(timeoutMs).then(
    () => true,
    (error: unknown) => error instanceof S3ServiceException && error.$fault === 'client',
  );
}

/**
 * An address and form fields for one browser upload (S3's POST policy): this key, this type, 1 to `maxBytes`
 * bytes, and no later than `seconds` from now. Storage itself refuses anything else.
 */
export function presignUpload(options: {
  key: string;
  contentType: string;
  maxBytes: number;
  seconds: number;
}): Promise<{ url: string; fields: Record<string, string> }> {
  return createPresignedPost(s3(), {
    Bucket: bucket(),
    Key: options.key,
    Conditions: [
      ['content-length-range', 1, options.maxBytes],
      ['eq', '$Content-Type', options.contentType],
    ],
    Fields: { 'Content-Type': options.contentType },
    Expires: options.seconds,
  });
}

const WINDOW_SECONDS = 3600;

/**
 * A signed address to read an object. It is the same for everybody who asks within one clock hour, so that the
 * browser's cache serves it, and works for at least an hour from then on. Storage is told to answer with
 * `Cache-Control: private`, so that no shared cache in front of the bucket keeps what one person may see.
 * @returns the address, and for how many seconds from now it stays the same
 */
export async function presignDownload(
  key: string,
  contentType: string,
  now = Date.now(),
): Promise<{ url: string; sameForSeconds: number }> {
  const start = Math.floor(now / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS;
  const url = await getSignedUrl(
    s3(),
    new GetObjectCommand({
      Bucket: bucket(),
      Key: key,
      ResponseContentType: contentType,
      ResponseCacheControl: `private, max-age=${WINDOW_SECONDS}`,
    }),
    { signingDate: new Date(start * 1000), expiresIn: 2 * WINDOW_SECONDS },
  );
  return { url, sameForSeconds: start + WINDOW_SECONDS - Math.floor(now / 1000) };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey');
}

const unquoteEtag = (etag: string) => etag.replaceAll('"', '');

/** An object's size in bytes and its ETag, without quotes; null when there is no such object. */
export async function headObject(key: string): Promise<{ size: number; etag: string } | null> {
  try {
    const head = await s3().send(new HeadObjectCommand({ Bucket: bucket(), Key: key }));
    return { size: head.ContentLength ?? 0, etag: unquoteEtag(head.ETag ?? '') };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Storage holds an object under this key, but not the version that was asked for. */
export class ObjectReplaced extends Error {
  constructor() {
    super('storage holds another version of this object');
    this.name = 'ObjectReplaced';
  }
}

/**
 * Streams an object to a local file, which appears only when it is whole.
 * @param options.part name of the file until then, on the same file system
 * @param options.etag the only version to accept, as `objectFacts` returns it
 * @returns false when there is no object
 * @throws ObjectReplaced
 */
export async function downloadObject(
  key: string,
  file: string,
  { part = `${file}.part`, etag }: { part?: string; etag?: string | null } = {},
): Promise<boolean> {
  try {
    const pinned = etag ? { IfMatch: `"${etag}"` } : {};
    const object = await s3().send(new GetObjectCommand({ Bucket: bucket(), Key: key, ...pinned }));
    // Some S3-compatible services ignore If-Match.
    if (etag && object.ETag && unquoteEtag(object.ETag) !== etag) {
      (object.Body as Readable).destroy();
      throw new ObjectReplaced();
    }
    await pipeline(object.Body as Readable, createWriteStream(part));
    const { size } = await stat(/*turbopackIgnore: true*/ part);
    if (object.ContentLength !== undefined && size !== object.ContentLength) {
      throw withSafeMessage(new Error(`storage sent ${size} of ${object.ContentLength} bytes`));
    }
    await rename(part, file);
    return true;
  } catch (error) {
    await rm(part, { force: true });
    if (isMissing(error)) return false;
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412)
      throw new ObjectReplaced();
    throw error;
  }
}

/** How often a file is sent at most, while the connection or storage is at fault. */
const MAX_ATTEMPTS = 3;

/**
 * Streams a local file to an object; the same key is overwritten as a whole. A connection that breaks is tried again
 * here, because the SDK does not send a stream twice, and what was made of a video took long.
 */
export async function uploadObject(file: string, key: string, contentType: string): Promise<void> {
  const { size } = await stat(file);
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const about = { Bucket: bucket(), Key: key, ContentLength: size, ContentType: contentType };
    try {
      await s3().send(new PutObjectCommand({ ...about, Body: createReadStream(file) }));
      return;
    } catch (error) {
      if (left === 0 || (error instanceof S3ServiceException && error.$fault === 'client')) throw error;
    }
  }
}

/** Deletes one object; that there is none is no error. */
export async function deleteObject(key: string): Promise<void> {
  await s3().send(new DeleteObjectCommand({ Bucket: bucket(), Key: key }));
}

/**
 * Deletes every object below a prefix.
 * @returns how many
 * @throws Error after all were tried, when storage has refused to delete some
 */
export async function deletePrefix(prefix: string): Promise<number> {
  let deleted = 0;
  let refused = 0;
  let after: string | undefined;
  do {
    const page = await s3().send(
      new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix, ContinuationToken: after }),
    );
    const keys = (page.Contents ?? []).flatMap((object) => (object.Key ? [{ Key: object.Key }] : []));
    if (keys.length > 0) {
      const { Errors = [] } = await s3().send(
        new DeleteObjectsCommand({ Bucket: bucket(), Delete: { Objects: keys, Quiet: true } }),
      );
      deleted += keys.length - Errors.length;
      refused += Errors.length;
    }
    after = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (after);
  if (refused > 0) throw new Error(`storage refused to delete ${refused} objects`);
  return deleted;
}
