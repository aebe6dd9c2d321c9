import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import { matches } from './expressions';
import type { EventPayload } from './protocol';
import type { FunctionDefinition } from './registry';
import { createRun, endRun, lockRun } from './runs';
import type { Db, Sql } from './store';

/** How long it takes until an event cancels a run, in milliseconds: about as long as at Inngest. */
const CANCELLATION_DELAY_MS = 10_000;

/** How long an event id is remembered. */
export const DEDUPLICATION_WINDOW_MS = 24 * 3_600_000;

const eventSchema = z.looseObject({
  name: z
    .string()
    .min(1)
    .max(256)
    .refine((name) => !name.includes('\0'), 'must not hold a NUL character')
    .refine((name) => !name.startsWith('inngest/'), 'must not begin with "inngest/", which is reserved'),
  data: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((data) => data ?? {}),
  id: z.string().nullish(),
  ts: z.number().nullish(),
});

/** One event or a list of them, as `inngest.send()` posts them. */
export const eventsSchema = z.preprocess(
  (body) => (Array.isArray(body) ? body : [body]),
  z.array(eventSchema).min(1).max(5000),
);

/** The events after which nothing is kept about what they name, and where in their data they name it. */
const FORGETTING: Readonly<Record<string, string>> = {
  'entry/purged': 'entryId',
  'account/erased': 'userId',
};

/**
 * Deletes the ended runs and the routed events that have the same id in their data as an event that's routed now. What
 * isn't done, the runs that this event has started among them, is deleted when it is.
 */
async function forgetHistory(tx: Db, field: string, { data }: EventPayload): Promise<void> {
  const id = data[field];
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) return;
  const about = `%"${field}":"${id}"%`;
  // Marks come first: a run that ends at this moment is either seen to have ended here, or has its mark when it ends.
  await tx`UPDATE runs SET forget = true WHERE event LIKE ${about}`;
  await tx`DELETE FROM runs WHERE event LIKE ${about} AND ended_at IS NOT NULL`;
  await tx`UPDATE events SET forget = true WHERE payload LIKE ${about} AND NOT routed`;
  await tx`DELETE FROM events WHERE payload LIKE ${about} AND routed`;
}

/** Marks a key as seen. @returns the reference it was first seen with, when that was within a day. */
async function recordIdempotencyKey(tx: Db, text: string, ref: string, now: number): Promise<string> {
  const key = createHash('sha256').update(text).digest('hex');
  const marked = await tx`
    INSERT INTO seen (key, ref, at) VALUES (${key}, ${ref}, ${now})
    ON CONFLICT (key) DO UPDATE SET ref = excluded.ref, at = excluded.at
    WHERE seen.at < ${now - DEDUPLICATION_WINDOW_MS} RETURNING 1`;
  if (marked.length > 0) return ref;
  const [row] = await tx<{ ref: string }[]>`SELECT ref FROM seen WHERE key = ${key}`;
  return row?.ref ?? ref;
}

/**
 * Stores events durably, to be routed later. Skips an event whose id arrived within 24 hours. The app gives every event
 * an id, so the SDK's own mark for a repeated request isn't read.
 *
 * @returns the ids of the events, in order; for a repeated event the id of the first
 */
export async function acceptEvents(
  sql: Sql,
  events: z.infer<typeof eventsSchema>,
  now: number,
): Promise<string[]> {
  const ids: string[] = [];
  const marked = events.map((event, index) => ({ event, index, key: `event ${event.id || uuid()}` }));
  // The same order in all transactions, so that two can't deadlock.
  marked.sort((a, b) => (a.key < b.key ? -1 : 1));
  await sql.begin(async (tx) => {
    for (const { event, index, key } of marked) {
      const id = uuid();
      ids[index] = await recordIdempotencyKey(tx, key, id, now);
      if (ids[index] !== id) continue;
      const payload: EventPayload = { ...event, id: event.id || id, ts: event.ts ?? now };
      await tx`
        INSERT INTO events (id, name, payload, received_at)
        VALUES (${id}, ${event.name}, ${JSON.stringify(payload)}, ${now})`;
    }
  });
  return ids;
}

/** Marks the runs of a function that this event cancels. {@link cancelMarkedRuns} ends them later. */
async function cancelMatchingRuns(
  tx: Db,
  definition: FunctionDefinition,
  event: EventPayload,
  cancelAt: number,
): Promise<void> {
  const rules = definition.cancelOn.filter((rule) => rule.event === event.name);
  if (rules.length === 0) return;
  const active = await tx<{ id: string; event: string }[]>`
    SELECT id, event FROM runs WHERE fn_id = ${definition.id} AND ended_at IS NULL ORDER BY id`;
  for (const run of active) {
    const first: unknown = JSON.parse(run.event);
    const hit = rules.some(({ condition }) => !condition || matches(condition, first, event));
    if (!hit || !(await lockRun(tx, run.id))) continue;
    await tx`
      UPDATE runs SET cancel_at = ${cancelAt}, cancel_reason = ${`By the event ${event.name}`}
      WHERE id = ${run.id} AND cancel_at IS NULL`;
  }
}

/** Ends the runs that are to be canceled by now. A request in progress goes on, and its answer is dropped. */
export async function cancelMarkedRuns(sql: Sql, now: number): Promise<void> {
  const due = await sql<{ id: string; reason: string }[]>`
    SELECT id, cancel_reason AS reason FROM runs WHERE cancel_at <= ${now} AND ended_at IS NULL LIMIT 100`;
  for (const { id, reason } of due) {
    await sql.begin(async (tx) => {
      const run = await lockRun(tx, id);
      if (run) await endRun(tx, run, { status: 'cancelled', reason }, now);
    });
  }
}

async function startTriggeredRuns(
  tx: Db,
  definition: FunctionDefinition,
  event: EventPayload,
  routed: { eventId: string; now: number; forget: boolean },
): Promise<void> {
  const wanted = definition.events.some(
    ({ name, condition }) => name === event.name && (!condition || matches(condition, event)),
  );
  if (!wanted) return;
  const { eventId, ...rest } = routed;
  await createRun(tx, definition, { origin: `event ${eventId} ${definition.id}`, event, ...rest });
}

/**
 * Routes the oldest stored event: it marks the runs it cancels before it starts others, so that an event that does both
 * doesn't cancel what it starts.
 *
 * @param timeScale multiplies the time until a run is canceled
 * @returns whether there was one
 */
export async function routeNextEvent(
  sql: Sql,
  definitions: FunctionDefinition[],
  now: number,
  timeScale: number,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [row] = await tx<{ seq: string; id: string; payload: string; forget: boolean }[]>`
      SELECT seq, id, payload, forget FROM events WHERE NOT routed ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!row) return false;
    const event = JSON.parse(row.payload) as EventPayload;
    const cancelAt = now + CANCELLATION_DELAY_MS * timeScale;
    for (const definition of definitions) await cancelMatchingRuns(tx, definition, event, cancelAt);
    const routed = { eventId: row.id, now, forget: row.forget };
    for (const definition of definitions) await startTriggeredRuns(tx, definition, event, routed);
    await tx`UPDATE events SET routed = true WHERE seq = ${row.seq}`;
    const field = FORGETTING[event.name];
    if (field) await forgetHistory(tx, field, event);
    if (row.forget) await tx`DELETE FROM events WHERE seq = ${row.seq}`;
    return true;
  });
}
