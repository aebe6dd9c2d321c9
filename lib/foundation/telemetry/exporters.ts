import { TraceFlags } from '@opentelemetry/api';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  MetricsExporterMetricsHelper,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { log } from '@/lib/foundation/log';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Logs when exports begin to fail and when they work again: a line for an outage, not one for each export. */
class LoggedExporter<Items> extends OTLPExporterBase<Items> {
  #isFailing = false;

  override export(items: Items, done: Parameters<OTLPExporterBase<Items>['export']>[1]): void {
    super.export(items, (result) => {
      const isFailing = result.error !== undefined;
      if (isFailing && !this.#isFailing)
        log.warn({ event: 'telemetry.failed', err: result.error }, 'telemetry: couldn’t be exported');
      if (!isFailing && this.#isFailing)
        log.info({ event: 'telemetry.recovered' }, 'telemetry: exported again');
      this.#isFailing = isFailing;
      done(result);
    });
  }
}

/**
 * Creates the exporter of spans. The standard `OTEL_EXPORTER_OTLP_*` variables say where to and how.
 * @param options replaces what they say about timeouts and connections
 */
export const createSpanExporter = (
  options: { timeoutMillis?: number; keepAlive?: boolean } = {},
): SpanExporter =>
  new LoggedExporter(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions(options, 'TRACES', 'v1/traces', JSON_TYPE),
      JsonTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );

/** Creates the exporter of metrics, configured the same way. */
export const createMetricExporter = (): PushMetricExporter =>
  new LoggedExporter(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions({}, 'METRICS', 'v1/metrics', JSON_TYPE),
      JsonMetricsSerializer,
      'otlp_http_metric_exporter',
      MetricsExporterMetricsHelper,
      undefined,
    ),
  );

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
