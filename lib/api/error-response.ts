import { isAccountLimited, isDatabaseUnavailable } from '@/db/errors';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { RequestAborted } from './body';
import { refusalError } from './refusals';
import { logRejection, markLogged } from './rejections';

/** Errors of the AWS SDK and of fetch that mean: the service did not answer. Those of connections are like the database's. */
const NO_ANSWER: unknown[] = ['TimeoutError', 'SlowDown', 'ServiceUnavailable'];

const isServiceUnavailable = (error: unknown): boolean =>
  error instanceof Error && NO_ANSWER.includes(error.name);

function asAppError(thrown: unknown, requestId: string): AppError {
  const error = isAccountLimited(thrown) ? refusalError('rate_limited') : thrown;
  const isKnown = error instanceof AppError;
  const isOutage = isKnown
    ? error.code === 'unavailable' && Boolean(error.cause)
    : isDatabaseUnavailable(error) || isServiceUnavailable(error);
  if (isKnown && !isOutage) {
    logRejection(requestId, { code: error.code });
    return error;
  }
  markLogged(requestId);
  log.error({ err: error }, isOutage ? 'a required service is unavailable' : 'unexpected error');
  return isKnown ? error : new AppError(isOutage ? 'unavailable' : 'internal', { cause: error });
}

/** The answer for an error: the closed table's status and the error body, never a stack or a driver's words. */
export function errorResponse(error: unknown, requestId: string): Response {
  if (error instanceof RequestAborted) {
    markLogged(requestId);
    log.info({ event: 'request.aborted' }, 'the client disconnected while sending');
    // Never seen by anybody: the connection is gone.
    return new Response(null, { status: 400 });
  }
  const { message, code, fields, status, retryAfter } = asAppError(error, requestId);
  const body = { message, code, fields, ...(code === 'internal' ? { requestId } : {}) };
  const response = Response.json(body, { status });
  if (retryAfter !== undefined) response.headers.set('retry-after', String(retryAfter));
  return response;
}
