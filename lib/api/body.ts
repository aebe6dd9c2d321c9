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

/** Parses a JSON body. @throws AppError `bad_request` when it isn't JSON in UTF-8 */
export function parseBody(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text);
  } catch {
    throw new AppError('bad_request');
  }
}
