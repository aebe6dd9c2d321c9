import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Env } from '@/lib/foundation/env';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { setTelemetry, type Telemetry } from './active';
import { createMetricExporter, createSpanExporter, holdSpans } from './exporters';
import { createMetering, observeProcess } from './metering';
import { traceRequests } from './requests';
import { createTracing } from './tracing';

type Settings = Pick<
  Env,
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'OTEL_METRIC_EXPORT_INTERVAL'
  | 'SERVERLESS'
>;

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Settings): Sampler {
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio);
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** How long a flush may take, in milliseconds: the process is about to end, or to be frozen. */
const FLUSH_MS = 2000;

type Metering = Pick<Telemetry, 'record' | 'observe'> & { flush: () => Promise<void> };

/** Serverless hosts freeze a process for minutes, so nothing could be measured or exported at intervals. */
const NO_METRICS: Metering = { record() {}, observe() {}, flush: async () => {} };

function startMetering(resource: Resource, { OTEL_METRIC_EXPORT_INTERVAL: interval }: Settings): Metering {
  const reader = new PeriodicExportingMetricReader({
    exporter: createMetricExporter(),
    exportIntervalMillis: interval,
    exportTimeoutMillis: interval,
  });
  const metering = createMetering(resource, reader);
  observeProcess(metering);
  return { ...metering, flush: () => reader.forceFlush() };
}

/**
 * Starts collecting and exporting. `start.ts` loads this module only if telemetry is on. On serverless hosts there are traces
 * alone, and they're exported at the end of each request.
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
  const { SERVERLESS } = settings;
  // A connection doesn't outlive a freeze.
  const processor = SERVERLESS
    ? holdSpans(createSpanExporter({ timeoutMillis: FLUSH_MS, keepAlive: false }))
    : new BatchSpanProcessor(createSpanExporter());
  const tracing = createTracing(resource, createSampler(settings), processor);
  const metering = SERVERLESS ? NO_METRICS : startMetering(resource, settings);
  const flush = async () => {
    const flushes = Promise.allSettled([processor.forceFlush(), metering.flush()]);
    await withTimeout(flushes, FLUSH_MS, () => undefined);
  };
  setTelemetry({ ...tracing, ...metering, flush });
  if (!isServer) return;
  traceRequests(tracing, metering.record, SERVERLESS ? flush : undefined);
  // What ends the process waits for its requests, so there's time for this.
  process.once('SIGTERM', () => void flush());
}
