import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describeError } from '@/lib/foundation/safe-error';
import type { Phase, Telemetry } from './active';
import { type Attributes, allowedAttributes, allowedName } from './attributes';
import { openingOf, RowIds, timeOf } from './trace-ids';

/** What's traced at the moment: a span, and the request that it belongs to. */
interface Scope {
  context: Context;
  request?: TracedRequest;
}

/** A request whose parts are timed, in milliseconds. */
export interface TracedRequest {
  timings: Map<Phase, number>;
  /** Whether the person may see them. */
  isShown: boolean;
}

/** Returns what a span may say about an error: its class and code, never its message. */
const errorType = (error: unknown): string => {
  const { name, code } = describeError(error);
  return code === undefined ? name : `${name}.${code}`;
};

/**
 * Creates what makes spans. They aren't registered with OpenTelemetry's global API, where Next and libraries would add
 * spans with URLs and queries: only what this app names is traced.
 */
export function createTracing(resource: Resource, sampler: Sampler, processor: SpanProcessor) {
  const ids = new RowIds();
  const provider = new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: sampler }),
    idGenerator: ids,
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('daylight');
  const scopes = new AsyncLocalStorage<Scope>();

  const currentContext = (): Context => scopes.getStore()?.context ?? ROOT_CONTEXT;

  const parentOf = (traceOf: string | undefined): Context => {
    const opening = traceOf === undefined ? null : openingOf(traceOf, sampler);
    // Perhaps already in that trace, further down.
    if (!opening || trace.getSpanContext(currentContext())?.traceId === opening.traceId)
      return currentContext();
    return trace.setSpanContext(ROOT_CONTEXT, opening);
  };

  const traced: Telemetry['traced'] = async (name, work, options) => {
    const scope = scopes.getStore();
    if (options.onlyInside && !scope) return work();
    const parent = parentOf(options.traceOf);
    const attributes = allowedAttributes(options.attributes ?? {});
    const span = tracer.startSpan(allowedName(name), { attributes }, parent);
    const started = performance.now();
    try {
      const inside = { ...scope, context: trace.setSpan(parent, span) };
      const result = await scopes.run(inside, work);
      if (options.describe) span.setAttributes(allowedAttributes(options.describe(result)));
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttributes(allowedAttributes({ 'error.type': errorType(error) }));
      throw error;
    } finally {
      span.end();
      if (options.phase && scope?.request) {
        const { timings } = scope.request;
        timings.set(options.phase, (timings.get(options.phase) ?? 0) + performance.now() - started);
      }
    }
  };

  /** Starts the span of a request, and runs what handles it inside. */
  const startRequest = (
    method: string,
    traceOf: string | undefined,
    handle: (span: Span, request: TracedRequest) => boolean,
  ): boolean => {
    const parent = traceOf === undefined ? ROOT_CONTEXT : parentOf(traceOf);
    const attributes = allowedAttributes({ 'http.request.method': method });
    const span = tracer.startSpan(allowedName(method), { kind: SpanKind.SERVER, attributes }, parent);
    const request: TracedRequest = { timings: new Map(), isShown: false };
    return scopes.run({ context: trace.setSpan(parent, span), request }, () => handle(span, request));
  };

  return {
    startRequest,
    traced,
    recordOpening(id: string, name: string, attributes: Attributes) {
      const options = { root: true, startTime: timeOf(id), attributes: allowedAttributes(attributes) };
      ids.as(id, () => tracer.startSpan(allowedName(name), options)).end();
    },
    linkTo(id: string) {
      const opening = openingOf(id, sampler);
      if (opening) trace.getSpan(currentContext())?.addLink({ context: opening });
    },
    showTimings() {
      const request = scopes.getStore()?.request;
      if (request) request.isShown = true;
    },
  };
}

export type Tracing = ReturnType<typeof createTracing>;
