import { isAccountLimited, isDatabaseUnavailable } from '@/db/errors';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { RequestAborted } from './body';
import { refusalError } from './refusals';
import { logRejection, markLogged } from './rejections';

/** Errors of the AWS SDK and of fetch that mean: the service did not answer. */
function isServiceUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'SlowDown' || error.name === 'ServiceUnavailable')
    return true;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'ENOTFOUND' || code === 'ETIMEDOUT';
}

function asAppError(thrown: unknown, requestId: string): AppError {
  const error = isAccountLimited(thrown) ? refusalError('rate_limited') : thrown;
  if (error instanceof AppError && error.code === 'unavailable' && error.cause) {
    markLogged(requestId);
    log.error({ err: error }, 'a required service is unavailable');
    return error;
  }
  if (error instanceof AppError) {
    logRejection(requestId, { code: error.code });
    return error;
  }
  markLogged(requestId);
  if (isDatabaseUnavailable(error) || isServiceUnavailable(error)) {
    log.error({ err: error }, 'a required service is unavailable');
    return new AppError('unavailable', { cause: error });
  }
  log.error({ err: error }, 'unexpected error');
  return new AppError('internal', { cause: error });
}

/** The answer for an error: the closed table's status and the error body, never a stack or a driver's words. */
export function errorResponse(error: unknown, requestId: string): Response {
  if (error instanceof RequestAborted) {
    markLogged(requestId);
    log.info({ event: 'request.aborted' }, 'the client disconnected while sending');
    // Never seen by anybody: the connection is gone.
    return new Response(null, { status: 400 });
  }
  const known = asAppError(error, requestId);
  const body = {
    message: known.message,
    code: known.code,
    ...(known.fields ? { fields: known.fields } : {}),
    ...(known.code === 'internal' ? { requestId } : {}),
  };
  const response = Response.json(body, { status: known.status });
  if (known.retryAfter !== undefined) response.headers.set('retry-after', String(known.retryAfter));
  return response;
}
