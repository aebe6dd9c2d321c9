import { AppError } from './errors';

const DEFAULT_LIMIT = 64_000;

/**
 * Reads a body as it came, stopping at the limit instead of trusting the declared length.
 * @throws AppError `too_large`
 */
export async function readBytes(request: Request, limit = DEFAULT_LIMIT): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError('too_large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new AppError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a JSON body of at most `limit` bytes.
 * @throws AppError `too_large`, or `bad_request` when it is not JSON in UTF-8
 */
export async function readBody(request: Request, limit = DEFAULT_LIMIT): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text);
  } catch {
    throw new AppError('bad_request');
  }
}
