import { ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags } from '@opentelemetry/api';
import {
  type IdGenerator,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
} from '@opentelemetry/sdk-trace-base';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the ids of the trace of a row and of its first span; null if `id` is no UUID. */
function idsOf(id: string): { traceId: string; spanId: string } | null {
  if (!UUID.test(id)) return null;
  const traceId = id.replaceAll('-', '').toLowerCase();
  // The second half of a version 7 UUID is random, and its variant bits keep it from being zero.
  return { traceId, spanId: traceId.slice(16) };
}

/** Returns the time in a version 7 UUID. */
export const timeOf = (id: string): Date =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/**
 * Returns the parent of everything in a row's trace, whether or not its span has been exported: both ids come from the
 * row's id, so no process has to tell another. Each process makes the same decision about sampling.
 */
export function openingOf(id: string, sampler: Sampler): SpanContext | null {
  const ids = idsOf(id);
  if (!ids) return null;
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, ids.traceId, '', SpanKind.INTERNAL, {}, []);
  const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
  return { ...ids, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** Makes random ids, or those of a row's trace for the span that's started in {@link RowIds.as}. */
export class RowIds implements IdGenerator {
  #random = new RandomIdGenerator();
  #given: { traceId: string; spanId: string } | null = null;

  generateTraceId = (): string => this.#given?.traceId ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#given?.spanId ?? this.#random.generateSpanId();

  /** Calls `start`, whose span gets the ids of the row's first span. */
  as<T>(id: string, start: () => T): T {
    this.#given = idsOf(id);
    try {
      return start();
    } finally {
      this.#given = null;
    }
  }
}
