import type { Meter } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider } from '@opentelemetry/sdk-metrics';
import { log } from '@/lib/foundation/log';
import type { Observation } from './active';
import { type Attributes, allowedAttributes } from './attributes';
import { METRICS, type Metric, type ObservedMetric, type RecordedMetric } from './metric-definitions';

function createRecorder(
  meter: Meter,
  name: RecordedMetric,
): (value: number, attributes: Record<string, string | number | boolean>) => void {
  const { kind, unit, description, ...rest }: Metric = METRICS[name];
  const options = { unit, description };
  if (kind === 'histogram') {
    const advice = rest.buckets ? { explicitBucketBoundaries: rest.buckets } : {};
    const histogram = meter.createHistogram(name, { ...options, advice });
    return (value, attributes) => histogram.record(value, attributes);
  }
  const counter =
    kind === 'updown' ? meter.createUpDownCounter(name, options) : meter.createCounter(name, options);
  return (value, attributes) => counter.add(value, attributes);
}

/** Creates what records and reads the metrics of {@link METRICS}. */
export function createMetering(resource: Resource, reader: IMetricReader) {
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter('daylight');
  const recorders = new Map<RecordedMetric, ReturnType<typeof createRecorder>>();

  return {
    provider,
    record(name: RecordedMetric, value: number, attributes: Attributes) {
      const known = recorders.get(name) ?? createRecorder(meter, name);
      recorders.set(name, known);
      known(value, allowedAttributes(attributes));
    },
    observe(name: ObservedMetric, read: Observation) {
      const { kind, unit, description }: Metric = METRICS[name];
      const options = { unit, description };
      const observable =
        kind === 'total'
          ? meter.createObservableCounter(name, options)
          : meter.createObservableGauge(name, options);
      observable.addCallback(async (result) => {
        try {
          for (const [value, attributes = {}] of await read())
            result.observe(value, allowedAttributes(attributes));
        } catch (error) {
          // The alert about a missing value is the metric's own.
          log.debug({ err: error, metric: name }, 'telemetry: a metric couldn’t be read');
        }
      });
    },
  };
}
