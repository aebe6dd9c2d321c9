import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import pLimit from 'p-limit';
import { env } from '@/lib/env';
import { withSafeMessage } from '@/lib/safe-error';
import { isMissing, storageStatusOf, toStorageError } from './storage-errors';

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
    // Some servers never send `100 Continue`.
    expectContinueHeader: false,
    // A connection without traffic for a minute is dead.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000, throwOnRequestTimeout: true },
    // The SDK would write to the console, even about what a retry fixes. Callers log what fails in the end.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return client;
}

/** How long a call may take, in milliseconds: each attempt until its response begins, and all of it. */
interface Deadline {
  attempt?: number;
  total?: number;
  /** Aborts the call earlier. */
  signal?: AbortSignal | undefined;
}

/** For calls without a file. */
const SHORT: Deadline = { attempt: 8_000, total: 20_000 };

/**
 * Calls storage within a deadline. Without one, as for files, which may take hours while bytes are moving, only the
 * client's own limits apply.
 * @throws AppError `unavailable`, or the client's error about an object or a part
 */
export async function callStorage<T>(
  call: (client: S3Client, options: { abortSignal?: AbortSignal; requestTimeout?: number }) => Promise<T>,
  { attempt, total, signal }: Deadline = SHORT,
): Promise<T> {
  const abortSignal = total ? AbortSignal.timeout(total) : signal;
  try {
    return await call(s3(), {
      ...(abortSignal && { abortSignal }),
      ...(attempt && { requestTimeout: attempt }),
    });
  } catch (error) {
    throw toStorageError(error);
  }
}

export const bucket = () => env().S3_BUCKET;

/** Returns whether storage responds within `timeoutMs`, even with an error. */
export async function isStorageReachable(timeoutMs: number): Promise<boolean> {
  const head = new HeadBucketCommand({ Bucket: bucket() });
  return callStorage((client, options) => client.send(head, options), { total: timeoutMs }).then(
    () => true,
    (error: unknown) => (storageStatusOf(error) ?? 500) < 500,
  );
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

const unquoteEtag = (etag: string) => etag.replaceAll('"', '');

let origin: Promise<string> | undefined;

/** Returns the origin that signed URLs point to. */
export function storageOrigin(): Promise<string> {
  origin ??= presignDownload('any', 'text/plain').then(({ url }) => new URL(url).origin);
  return origin;
}

/** Returns an object's size in bytes and its ETag without quotes; null if there's no such object. */
export async function headObject(key: string): Promise<{ size: number; etag: string } | null> {
  try {
    const command = new HeadObjectCommand({ Bucket: bucket(), Key: key });
    const head = await callStorage((client, options) => client.send(command, options));
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
    const command = new GetObjectCommand({ Bucket: bucket(), Key: key, ...pinned });
    const object = await callStorage((client, options) => client.send(command, options), { signal });
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
    if (storageStatusOf(error) !== 412) throw error;
    // Some servers answer 412 for an object that doesn't exist, too.
    if (!(await headObject(key))) return false;
    throw new ObjectReplaced();
  }
}

/** How many times to send a file if the connection or storage fails. */
const MAX_ATTEMPTS = 3;

/**
 * Streams a local file to an object, replacing any object with the same key. Retries here, because the SDK doesn't
 * send a stream twice, and the file took a long time to make. The MD5 keeps out a body whose connection broke: some
 * servers store what has arrived of it, even over a later attempt.
 */
export async function uploadObject(
  file: string,
  key: string,
  contentType: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { size } = await stat(file);
  const hash = createHash('md5');
  await pipeline(createReadStream(file), hash);
  const md5 = hash.digest('base64');
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const about = {
      Bucket: bucket(),
      Key: key,
      ContentLength: size,
      ContentType: contentType,
      ContentMD5: md5,
    };
    try {
      const command = new PutObjectCommand({ ...about, Body: createReadStream(file) });
      await callStorage((client, options) => client.send(command, options), { signal });
      return;
    } catch (error) {
      if (left === 0 || signal?.aborted || (storageStatusOf(error) ?? 500) < 500) throw error;
    }
  }
}

/** Deletes an object. A missing one isn't an error. */
export async function deleteObject(key: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: bucket(), Key: key });
  try {
    await callStorage((client, options) => client.send(command, options));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const PARALLEL_DELETIONS = 8;

/**
 * Deletes every object with a prefix. One by one, since several servers refuse DeleteObjects: the client sends it with a
 * CRC32, and they require Content-MD5.
 * @returns how many
 * @throws Error after trying all of them, if storage refused to delete any; at once if it doesn't respond
 */
export async function deletePrefix(prefix: string): Promise<number> {
  const limit = pLimit(PARALLEL_DELETIONS);
  let deleted = 0;
  let refused = 0;
  let after: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix, ContinuationToken: after });
    const page = await callStorage((client, options) => client.send(command, options));
    const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key ? [Key] : []));
    await limit.map(keys, async (key) => {
      try {
        await deleteObject(key);
        deleted += 1;
      } catch (error) {
        if (storageStatusOf(error) === undefined) {
          limit.clearQueue();
          throw error;
        }
        refused += 1;
      }
    });
    after = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (after);
  if (refused > 0) throw withSafeMessage(new Error(`storage refused to delete ${refused} objects`));
  return deleted;
}
