import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider } from '@opentelemetry/sdk-metrics';
import { log } from '@/lib/foundation/log';
import type { Observation, Telemetry } from './active';
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

/** Kernel ticks a second, which is 100 on every Linux that Node supports. */
const TICKS = 100;

/** Returns the processor seconds of child processes that have ended; nothing where there's no /proc. */
async function childCpuSeconds(): Promise<[number][]> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  if (stat === null) return [];
  // The second field may have spaces in it. After it, cutime and cstime are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [[(Number(fields[13]) + Number(fields[14])) / TICKS]];
}

/** Reports what the process itself needs: time, memory, and disk. */
export function observeProcess({ observe }: Pick<Telemetry, 'observe'>): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  observe('nodejs.eventloop.delay.p99', async () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return [[seconds]];
  });
  observe('process.memory.usage', async () => [[process.memoryUsage.rss()]]);
  observe('process.cpu.time', async () => {
    const { user, system } = process.cpuUsage();
    return [[(user + system) / 1e6]];
  });
  observe('daylight.children.cpu.time', childCpuSeconds);
  observe('daylight.disk.free', async () => {
    const { bavail, bsize } = await statfs(tmpdir());
    return [[bavail * bsize]];
  });
}
