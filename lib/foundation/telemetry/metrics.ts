import { activeTelemetry } from './active';
import type { Attributes } from './attributes';
import type { RecordedMetric } from './metric-definitions';

/** Adds to a counter, or a value to a histogram. Costs nothing while telemetry is off. */
export function record(name: RecordedMetric, value: number, attributes: Attributes = {}): void {
  activeTelemetry()?.record(name, value, attributes);
}
