import { resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Env } from '@/lib/env';
import { setTelemetry, type Telemetry } from './active';
import { createMetricExporter, createSpanExporter } from './exporters';
import { createMetering } from './metering';
import { observeProcess } from './process-metrics';
import { traceRequests } from './requests';
import { createTracing } from './tracing';

type Settings = Pick<
  Env,
  'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG' | 'OTEL_METRIC_EXPORT_INTERVAL'
>;

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Settings): Sampler {
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio);
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** How long the last export may take, in milliseconds: the process is about to end. */
const FLUSH_MS = 2000;

/**
 * Starts collecting and exporting. `start.ts` loads this module only if telemetry is on.
 * @param options.version of the app
 * @param options.isServer whether this process answers requests
 */
export function startSdk(
  settings: Settings,
  { version, isServer }: { version: string; isServer: boolean },
): void {
  const resource = resourceFromAttributes({
    'service.name': settings.OTEL_SERVICE_NAME,
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
  });
  const processor = new BatchSpanProcessor(createSpanExporter());
  const reader = new PeriodicExportingMetricReader({
    exporter: createMetricExporter(),
    exportIntervalMillis: settings.OTEL_METRIC_EXPORT_INTERVAL,
    exportTimeoutMillis: settings.OTEL_METRIC_EXPORT_INTERVAL,
  });
  const tracing = createTracing(resource, createSampler(settings), processor);
  const { record, observe } = createMetering(resource, reader);
  const { traced, recordOpening, linkTo, showTimings } = tracing;
  const flush = async () => {
    const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
    await Promise.race([Promise.allSettled([processor.forceFlush(), reader.forceFlush()]), late]);
  };
  const telemetry: Telemetry = { traced, recordOpening, linkTo, showTimings, record, observe, flush };
  setTelemetry(telemetry);
  observeProcess(telemetry);
  if (!isServer) return;
  traceRequests(tracing, record);
  // What ends the process waits for its requests, so there's time for this.
  process.once('SIGTERM', () => void flush());
}
