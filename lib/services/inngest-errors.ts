import { Middleware, NonRetriableError, RetryAfterError, StepError } from 'inngest';
import { safeError } from '@/lib/safe-error';

/** Returns what the job service may know of an error, still of the class that decides on retries. */
function reduceError(error: unknown): Error {
  // What failed a step was reduced when it left that step, and the SDK knows the failure by its identity.
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
 * Reduces every error that a step, a function or its `onFailure` throws before the SDK sends it: the job service shows
 * errors in its dashboard and keeps them in `function.failed` events, which no deletion here reaches.
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
