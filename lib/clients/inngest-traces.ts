import { Middleware, RetryAfterError } from 'inngest';
import { record } from '@/lib/foundation/telemetry/metrics';
import { traced } from '@/lib/foundation/telemetry/spans';

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
