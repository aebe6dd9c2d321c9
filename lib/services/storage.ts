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

/** Returns the client of the bucket's service. */
export function s3(): S3Client {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_FORCE_PATH_STYLE } = env();
  client ??= new S3Client({
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT } : {}),
    region: S3_REGION,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    forcePathStyle: S3_FORCE_PATH_STYLE,
    // Many S3-compatible servers don't support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A connection without traffic for a minute is dead.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });
  return client;
}

export const bucket = () => env().S3_BUCKET;

/** @throws Error if the bucket can't be reached within `timeoutMs` */
export async function checkStorage(timeoutMs: number): Promise<void> {
  await s3().send(new HeadBucketCommand({ Bucket: bucket() }), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
}

/** Returns whether storage responds within `timeoutMs`, even with an error. */
export function isStorageReachable(timeoutMs: number): Promise<boolean> {
  return checkStorage(timeoutMs).then(
    () => true,
    (error: unknown) => error instanceof S3ServiceException && error.$fault === 'client',
  );
}

/**
 * Returns a URL and form fields for one upload by a browser (S3's POST policy): this key, this type, 1 to `maxBytes`
 * bytes, and within `seconds`. Storage rejects anything else.
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
 * Returns a signed URL to read an object. It's the same for a whole clock hour, so that the browser's cache works, and
 * valid for at least another hour. Storage responds with `Cache-Control: private`, so that no shared cache in front of
 * the bucket stores it.
 * @returns the URL, and how many seconds from now it stays the same
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

/** Returns an object's size in bytes and its ETag without quotes; null if there's no such object. */
export async function headObject(key: string): Promise<{ size: number; etag: string } | null> {
  try {
    const head = await s3().send(new HeadObjectCommand({ Bucket: bucket(), Key: key }));
    return { size: head.ContentLength ?? 0, etag: unquoteEtag(head.ETag ?? '') };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Thrown if storage has an object with this key, but not the requested version. */
export class ObjectReplaced extends Error {
  constructor() {
    super('storage holds another version of this object');
    this.name = 'ObjectReplaced';
  }
}

interface DownloadOptions {
  /** The file's name until it's complete, on the same file system. */
  part?: string;
  /** The only version to accept, as {@link headObject} returns it. */
  etag?: string | null;
  signal?: AbortSignal | undefined;
}

/**
 * Streams an object to a local file, which appears once it's complete.
 * @returns false if there's no such object
 * @throws ObjectReplaced
 */
export async function downloadObject(
  key: string,
  file: string,
  { part = `${file}.part`, etag, signal }: DownloadOptions = {},
): Promise<boolean> {
  try {
    const pinned = etag ? { IfMatch: `"${etag}"` } : {};
    const object = await s3().send(new GetObjectCommand({ Bucket: bucket(), Key: key, ...pinned }), {
      abortSignal: signal,
    });
    // Some S3-compatible services ignore If-Match.
    if (etag && object.ETag && unquoteEtag(object.ETag) !== etag) {
      (object.Body as Readable).destroy();
      throw new ObjectReplaced();
    }
    await pipeline(object.Body as Readable, createWriteStream(part), { signal });
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

/** How many times to send a file if the connection or storage fails. */
const MAX_ATTEMPTS = 3;

/**
 * Streams a local file to an object, replacing any object with the same key. Retries here, because the SDK doesn't
 * send a stream twice, and the file took a long time to make.
 */
export async function uploadObject(
  file: string,
  key: string,
  contentType: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { size } = await stat(file);
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const about = { Bucket: bucket(), Key: key, ContentLength: size, ContentType: contentType };
    try {
      await s3().send(new PutObjectCommand({ ...about, Body: createReadStream(file) }), {
        abortSignal: signal,
      });
      return;
    } catch (error) {
      if (left === 0 || signal?.aborted || (error instanceof S3ServiceException && error.$fault === 'client'))
        throw error;
    }
  }
}

/** Deletes an object. A missing one isn't an error. */
export async function deleteObject(key: string): Promise<void> {
  await s3().send(new DeleteObjectCommand({ Bucket: bucket(), Key: key }));
}

/**
 * Deletes every object with a prefix.
 * @returns how many
 * @throws Error after trying all of them, if storage refused to delete any
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
