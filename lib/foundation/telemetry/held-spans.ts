import { TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';

/** How many spans are held at most, which only bounds their memory. */
const MAX_HELD = 2048;

/** Creates a processor that holds spans until it's flushed, without a timer: one would fire in a process that was frozen. */
export function holdSpans(exporter: SpanExporter): SpanProcessor {
  let held: ReadableSpan[] = [];
  const forceFlush = () =>
    new Promise<void>((resolve) => {
      const spans = held;
      held = [];
      if (spans.length > 0) exporter.export(spans, () => resolve());
      else resolve();
    });
  return {
    onStart() {},
    onEnd(span) {
      const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
      if (isSampled && held.length < MAX_HELD) held.push(span);
    },
    forceFlush,
    shutdown: forceFlush,
  };
}
