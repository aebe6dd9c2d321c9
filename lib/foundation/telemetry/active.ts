import { perProcess } from '@/lib/foundation/shared/per-process';
import type { Attributes } from './attributes';
import type { ObservedMetric, RecordedMetric } from './metric-definitions';

/** The parts of a request that `Server-Timing` reports. */
export type Phase = 'auth' | 'db' | 'storage';

export interface SpanOptions<T> {
  attributes?: Attributes;
  /** Where the span belongs to no request or job, does the work without one: a poll would be a trace every two seconds. */
  onlyInside?: boolean;
  /** Adds its time to this part of the request. */
  phase?: Phase;
  /** Returns what the result adds to the attributes. */
  describe?: (result: T) => Attributes;
  /** Makes the span part of the trace of an entry or another row with this UUID. */
  traceOf?: string | undefined;
}

/** Reads a metric's values at an export. */
export type Observation = () => Promise<[value: number, attributes?: Attributes][]>;

/** What the app calls while telemetry is on. `sdk.ts` implements it. */
export interface Telemetry {
  traced<T>(name: string, work: () => Promise<T>, options: SpanOptions<T>): Promise<T>;
  recordOpening(id: string, name: string, attributes: Attributes): void;
  linkTo(id: string): void;
  showTimings(): void;
  record(name: RecordedMetric, value: number, attributes: Attributes): void;
  observe(name: ObservedMetric, read: Observation): void;
  /** Exports what has been collected. Never rejects, and gives up after two seconds. */
  flush(): Promise<void>;
}

const telemetry = perProcess('telemetry', (): { active?: Telemetry | undefined } => ({}));

/** Returns what collects traces and metrics; undefined while telemetry is off. */
export const activeTelemetry = (): Telemetry | undefined => telemetry.active;

/** Turns telemetry on for this process, or off again. */
export function setTelemetry(active: Telemetry | undefined): void {
  telemetry.active = active;
}
