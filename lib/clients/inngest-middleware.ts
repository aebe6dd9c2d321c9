import { Middleware, NonRetriableError, RetryAfterError, StepError } from 'inngest';
import { withJobWaits } from '@/lib/foundation/admission';
import { safeError } from '@/lib/foundation/safe-error';
import { record } from '@/lib/foundation/telemetry/metrics';
import { traced } from '@/lib/foundation/telemetry/spans';

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

async function withReducedErrors(next: () => Promise<unknown>): Promise<unknown> {
  try {
    return await next();
  } catch (error) {
    throw reduceError(error);
  }
}

/**
 * Removes private data from errors that a step, a function, or its `onFailure` throws before the SDK sends them. The
 * job service shows errors in its dashboard and stores them in `function.failed` events, which we can't delete.
 */
export class SafeErrors extends Middleware.BaseMiddleware {
  readonly id = 'safe-errors';

  override wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return withReducedErrors(next);
  }

  override wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return withReducedErrors(next);
  }
}

/** Lets the queries of jobs wait longer for a free database connection than those of requests. */
export class JobWaits extends Middleware.BaseMiddleware {
  readonly id = 'job-waits';

  override wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return withJobWaits(next);
  }

  override wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return withJobWaits(next);
  }
}

/** Returns how a step ended, by what it returned: `StepOutcome` for those of an entry's jobs. */
function outcomeOf(result: unknown): string {
  if (typeof result !== 'object' || result === null) return 'done';
  return ['refused', 'stopped'].find((key) => key in result) ?? 'done';
}

/** Traces and times each attempt of a step. Its span is in the trace of the entry that the event names. */
export class TracedJobs extends Middleware.BaseMiddleware {
  readonly id = 'traced-jobs';

  override async wrapStepHandler({
    ctx,
    fn,
    stepInfo,
    next,
  }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    const { entryId }: { entryId?: unknown } = ctx.event.data ?? {};
    const names = { 'daylight.function': fn.opts.id, 'daylight.step': stepInfo.options.id };
    const started = performance.now();
    const recordEnd = (outcome: string) => {
      const seconds = (performance.now() - started) / 1000;
      record('daylight.job.step.duration', seconds, { ...names, 'daylight.outcome': outcome });
    };
    try {
      const result = await traced(`${fn.opts.id} ${stepInfo.options.id}`, next, {
        attributes: { ...names, 'daylight.attempt': ctx.attempt },
        traceOf: typeof entryId === 'string' ? entryId : undefined,
        describe: (returned) => ({ 'daylight.outcome': outcomeOf(returned) }),
      });
      recordEnd(outcomeOf(result));
      return result;
    } catch (error) {
      recordEnd(error instanceof RetryAfterError ? 'retried' : 'failed');
      throw error;
    }
  }
}
