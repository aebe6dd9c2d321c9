import { isDatabaseUnavailable } from '@/db/errors';
import { speechErrorKind } from '@/lib/clients/speech-error';
import { AppError } from '@/lib/foundation/contract/errors';

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

function isAway(error: Error): boolean {
  const { code } = error as { code?: unknown };
  const kind = speechErrorKind(error);
  return (
    (error instanceof AppError && error.code === 'unavailable') ||
    (typeof code === 'string' && CONNECTION_CODES.has(code)) ||
    error.name === 'TimeoutError' ||
    kind === 'unavailable' ||
    kind === 'rate_limited'
  );
}

/**
 * Returns whether an error says that the database, storage, or the speech service is away or overloaded: the same
 * attempt succeeds once it's back.
 */
export function isUnavailable(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1) {
    if (isAway(inner)) return true;
  }
  return false;
}
