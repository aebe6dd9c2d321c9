import { Middleware, NonRetriableError, RetryAfterError, StepError } from 'inngest';
import { safeError } from '@/lib/foundation/safe-error';

/** Returns an error without private data, in the same class, since that decides on retries. */
function reduceError(error: unknown): Error {
  // Already cleaned when it left its step, and the SDK recognizes it by identity.
  if (error instanceof StepError) return error;
  const { name, message, stack, cause } = safeError(error);
  const facts = { name, stack, ...(cause === undefined ? {} : { cause }) };
  if (error instanceof RetryAfterError) {
    const seconds = Number(error.retryAfter);
    const when = Number.isFinite(seconds) ? seconds * 1000 : new Date(error.retryAfter);
    return Object.assign(new RetryAfterError(message, when), facts);
  }
  const isFinal = error instanceof NonRetriableError;
  return Object.assign(isFinal ? new NonRetriableError(message) : new Error(message), facts);
}

/**
 * Removes private data from errors that a step, a function, or its `onFailure` throws before the SDK sends them. The
 * job service shows errors in its dashboard and stores them in `function.failed` events, which we can't delete.
 */
export class SafeErrors extends Middleware.BaseMiddleware {
  readonly id = 'safe-errors';

  override async wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      throw reduceError(error);
    }
  }

  override async wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      throw reduceError(error);
    }
  }
}
