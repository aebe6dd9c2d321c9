import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { AppError } from '@/lib/foundation/contract/errors';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { bucket, callStorage, isMissing, nullIfMissing, storageStatusOf } from './storage';
import { listObjects } from './storage-listing';

const unquoteEtag = (etag: string) => etag.replaceAll('"', '');

/** How often to ask about an object that appears each time after storage has said that it's missing. */
const MAX_HEADS = 3;

/**
 * Returns an object's size in bytes and its ETag without quotes; null if there's no such object.
 * @throws AppError `unavailable` if HEAD says that it's missing, and GET doesn't
 */
export async function headObject(key: string): Promise<{ size: number; etag: string } | null> {
  for (let attempt = 0; attempt < MAX_HEADS; attempt += 1) {
    try {
      const head = await callStorage(new HeadObjectCommand({ Bucket: bucket(), Key: key }));
      return { size: head.ContentLength ?? 0, etag: unquoteEtag(head.ETag ?? '') };
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (await isReallyMissing(key)) return null;
    }
  }
  throw new AppError('unavailable');
}

/**
 * Returns whether it's storage that has said that an object is missing. A 404 to HEAD has no body, so it may be a proxy's,
 * and callers give up on an upload for it. If it isn't missing, it may have appeared in between.
 */
async function isReallyMissing(key: string): Promise<boolean> {
  const command = new GetObjectCommand({ Bucket: bucket(), Key: key, Range: 'bytes=0-0' });
  const object = await callStorage(command).catch(nullIfMissing);
  (object?.Body as Readable | undefined)?.destroy();
  return object === null;
}

/** Thrown if storage has an object with this key, but not the requested version. */
export class ObjectReplaced extends Error {
  override readonly name = 'ObjectReplaced';

  constructor() {
    super('storage holds another version of this object');
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
    const object = await callStorage(new GetObjectCommand({ Bucket: bucket(), Key: key, ...pinned }), {
      signal,
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
    if (storageStatusOf(error) !== 412) throw error;
    // Some servers answer 412 for an object that doesn't exist, too.
    if (!(await headObject(key))) return false;
    throw new ObjectReplaced();
  }
}

/** Returns the MD5 of an object's bytes, in hex; null if there's no such object. Reads all of it. */
export async function md5OfObject(key: string): Promise<string | null> {
  const command = new GetObjectCommand({ Bucket: bucket(), Key: key });
  const object = await callStorage(command, {}).catch(nullIfMissing);
  if (!object) return null;
  const hash = createHash('md5');
  await pipeline(object.Body as Readable, hash);
  return hash.digest('hex');
}

/** Returns a small object's content; null if there's no such object. */
export async function readObject(key: string): Promise<Buffer | null> {
  const command = new GetObjectCommand({ Bucket: bucket(), Key: key });
  const object = await callStorage(command).catch(nullIfMissing);
  return object && Buffer.from((await object.Body?.transformToByteArray()) ?? []);
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
  await pipeline(createReadStream(file), hash, { signal });
  const md5 = hash.digest('base64');
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const body = createReadStream(file);
    const command = new PutObjectCommand({
      Bucket: bucket(),
      Key: key,
      Body: body,
      ContentLength: size,
      ContentType: contentType,
      ContentMD5: md5,
    });
    try {
      await callStorage(command, { signal });
      return;
    } catch (error) {
      if (left === 0 || signal?.aborted || (storageStatusOf(error) ?? 500) < 500) throw error;
    } finally {
      // A stream closes its file at its end, where it doesn't get if the connection breaks or the answer comes sooner.
      body.destroy();
    }
  }
}

/** Deletes an object. A missing one isn't an error. */
export async function deleteObject(key: string): Promise<void> {
  await callStorage(new DeleteObjectCommand({ Bucket: bucket(), Key: key })).catch(nullIfMissing);
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
  for await (const page of listObjects(prefix)) {
    await limit.map(page, async ({ key }) => {
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
  }
  if (refused > 0) throw withSafeMessage(new Error(`storage refused to delete ${refused} objects`));
  return deleted;
}

/**
 * Below the prefix of all other objects, so that keys limited to it may write this one too. Each process has its own,
 * since Cloudflare R2 answers 429 to parallel writes of one object.
 */
export const PROBE_KEY = `entries/daylight-probe-${randomUUID()}`;

/** Writes a tiny object and deletes it. @throws AppError `unavailable` if storage doesn't take it */
export async function writeProbe(timeoutMs = 20_000): Promise<void> {
  await callStorage(
    new PutObjectCommand({
      Bucket: bucket(),
      Key: PROBE_KEY,
      Body: 'probe',
      ContentType: 'text/plain',
    }),
    { total: timeoutMs },
  );
  await deleteObject(PROBE_KEY);
}
