import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { admissionScope } from '@/lib/foundation/admission';
import { AppError } from '@/lib/foundation/contract/errors';
import { JSON_LIMIT } from './body-limits';
import { refusalError } from './refusals';

/** The client closed the connection before its body was complete, so nobody is waiting for an answer. */
export class RequestAborted extends Error {
  override name = 'RequestAborted';
}

/**
 * Reads a body as it was sent, keeping no more than the limit, whatever length is declared.
 * @param limit in bytes
 * @throws AppError `too_large`, and an admission's refusal
 * @throws RequestAborted when the client disconnects first
 */
export async function readBytes(request: Request, limit = JSON_LIMIT): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError('too_large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      // Read to its end all the same, which the server's own limit bounds: to cancel it would cut the connection
      // before the answer is out.
      if (size <= limit) chunks.push(chunk);
    }
  } catch (cause) {
    throw new RequestAborted('the client disconnected while sending', { cause });
  }
  const refusal = admissionScope.getStore()?.refusal;
  if (refusal) throw refusalError(refusal);
  if (size > limit) throw new AppError('too_large');
  return Buffer.concat(chunks);
}

const inflate = promisify(gunzip);

/** How much is inflated at a time on another thread, in bytes. */
const STEP_BYTES = 64 * 1024;

export const UNKNOWN_ENCODING =
  'We couldn’t read that request because of how it’s compressed. Send it uncompressed.';

const isTooLong = (error: unknown) =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** Returns whether an operation with this limit, in bytes, takes compressed bodies: one whose bodies may be large. */
export const takesCompressed = (limit = JSON_LIMIT): boolean => limit > JSON_LIMIT;

/**
 * Undoes a body's `Content-Encoding`. Inflating ends at the first bytes above the limit, whatever would follow.
 * @param encoding the header's value; null if there's none
 * @param limit in bytes, of the body before it was compressed
 * @throws AppError `unsupported_media_type` unless it's gzip and the operation takes that, `too_large`, or `bad_request`
 * when it isn't gzip after all, or is cut short
 */
export async function decodeBody(
  bytes: Buffer,
  encoding: string | null,
  limit = JSON_LIMIT,
): Promise<Buffer> {
  const coding = encoding?.trim().toLowerCase() || 'identity';
  if (coding === 'identity') return bytes;
  if (coding !== 'gzip' || !takesCompressed(limit)) {
    throw new AppError('unsupported_media_type', { message: UNKNOWN_ENCODING });
  }
  try {
    return await inflate(bytes, { maxOutputLength: limit, chunkSize: STEP_BYTES });
  } catch (error) {
    throw new AppError(isTooLong(error) ? 'too_large' : 'bad_request');
  }
}

/** Parses a JSON body. @throws AppError `bad_request` when it isn't JSON in UTF-8 */
export function parseBody(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text);
  } catch {
    throw new AppError('bad_request');
  }
}
