import { activeTelemetry, type SpanOptions } from './active';
import type { Attributes } from './attributes';

/**
 * Does some work in a span, and marks the span as failed if the work throws. Without telemetry, only does the work.
 * @param name a few identifiers, and never text from outside
 */
export function traced<T>(name: string, work: () => Promise<T>, options: SpanOptions<T> = {}): Promise<T> {
  const telemetry = activeTelemetry();
  return telemetry ? telemetry.traced(name, work, options) : work();
}

/**
 * Records the first span of the trace of an entry: from the time in its UUID (RFC 9562, version 7) until now. Everything
 * else in that trace is below it. Call it once for each entry.
 */
export function recordOpening(id: string, name: string, attributes: Attributes): void {
  activeTelemetry()?.recordOpening(id, name, attributes);
}

/** Links the current span to the trace of an entry that it has created. */
export function linkTo(id: string): void {
  activeTelemetry()?.linkTo(id);
}

/** Lets the current response have `Server-Timing`: the person is signed in, so their own waits are no secret. */
export function showTimings(): void {
  activeTelemetry()?.showTimings();
}

/** The verb that says what a statement does. One that starts with common table expressions is named by its last part. */
const VERB = /^\s*(select|insert|update|delete|begin|commit)\b|\)\s*(select|insert|update|delete)\b/i;
const TABLE = /\b(?:from|into|update)\s+"?([a-z_]+)/i;
/** Enough to find both: a bulk insert lists thousands of placeholders. */
const STATEMENT_CHARACTERS = 2000;

/** Returns a statement's verb and its first table, which are what its span is called. */
export function describeStatement(text: string): { operation: string; table: string | undefined } {
  const found = VERB.exec(text.slice(0, STATEMENT_CHARACTERS));
  const operation = (found?.[1] ?? found?.[2] ?? 'other').toLowerCase();
  const [, table] = TABLE.exec(text.slice(found?.index ?? 0, STATEMENT_CHARACTERS)) ?? [];
  return { operation, table };
}

/** Runs a query in a span that names its verb and table. */
export function tracedQuery<T>(text: string | undefined, query: () => Promise<T>): Promise<T> {
  const telemetry = activeTelemetry();
  if (!telemetry) return query();
  const { operation, table } = describeStatement(text ?? '');
  return telemetry.traced(table ? `${operation} ${table}` : operation, query, {
    attributes: { 'db.operation.name': operation, 'db.collection.name': table },
    onlyInside: true,
    phase: 'db',
  });
}
