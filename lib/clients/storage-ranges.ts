import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { bucket, callStorage, isMissing, storageStatusOf } from './storage';
import { ObjectReplaced } from './storage-objects';

/** A version of an object. */
export interface ObjectVersion {
  key: string;
  /** Without quotes; null to accept whatever there is. */
  etag: string | null;
}

interface ByteRange {
  start: number;
  /** In bytes. */
  length: number;
}

/** How often a connection may break with no byte in between. */
const MAX_BROKEN = 3;

/** Requests what's left of a range. @throws ObjectReplaced if there's no such version, or nothing at all */
async function open(
  { key, etag }: ObjectVersion,
  { start, length }: ByteRange,
  signal?: AbortSignal,
): Promise<Readable> {
  try {
    const object = await callStorage(
      new GetObjectCommand({
        Bucket: bucket(),
        Key: key,
        Range: `bytes=${start}-${start + length - 1}`,
        ...(etag && { IfMatch: `"${etag}"` }),
      }),
      { signal },
    );
    const body = object.Body as Readable;
    // Some S3-compatible services ignore If-Match.
    const isOther = etag && object.ETag && object.ETag.replaceAll('"', '') !== etag;
    if (!isOther && object.ContentLength === length) return body;
    body.destroy();
  } catch (error) {
    const isGone = isMissing(error) || [412, 416].includes(storageStatusOf(error) ?? 0);
    if (!isGone) throw error;
  }
  throw new ObjectReplaced();
}

/**
 * Reads a range of an object, chunk by chunk. If the connection breaks, goes on where it broke.
 * @throws ObjectReplaced if storage doesn't have that version, or it's shorter
 */
export async function* readRange(
  version: ObjectVersion,
  { start, length }: ByteRange,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let at = 0;
  for (let broken = 0; at < length; ) {
    try {
      for await (const chunk of await open(version, { start: start + at, length: length - at }, signal)) {
        at += chunk.length;
        broken = 0;
        yield chunk;
      }
      if (at < length) throw withSafeMessage(new Error(`storage sent ${at} of ${length} bytes`));
    } catch (error) {
      broken += 1;
      if (signal?.aborted || error instanceof ObjectReplaced || broken > MAX_BROKEN) throw error;
    }
  }
}
