import { v7 as uuid } from 'uuid';
import { valueAt } from './expressions';
import { type EventPayload, internalEvents, type SerializedError, type StepState } from './protocol';
import type { FunctionDefinition } from './registry';
import { type Db, stripNulCharacters } from './store';

/** The step id of the request that runs a function with its memoized steps until its next ones. */
export const DISCOVERY_STEP = 'step';

export type Run = {
  id: string;
  fn_id: string;
  event: string;
  /** Whether nothing of the run is kept once it has ended. */
  forget: boolean;
};

export type RunResult =
  | { status: 'completed'; output: unknown }
  | { status: 'failed'; error: SerializedError }
  | { status: 'cancelled'; reason: string };

/** Returns the names of the concurrency limits that a run's requests count against, as `<limit>|<name>`. */
function limitsOf(definition: FunctionDefinition, event: EventPayload): string[] {
  return definition.concurrency.map(({ limit, key = [] }) => {
    const value = key.length > 0 ? valueAt(event, key) : undefined;
    return `${limit}|${stripNulCharacters(JSON.stringify([definition.id, key.join('.'), value ?? null]))}`;
  });
}

/** Creates a run, once per origin. @returns its id, or undefined if the origin already has one */
export async function createRun(
  tx: Db,
  definition: FunctionDefinition,
  run: { origin: string; event: EventPayload; now: number; forget?: boolean },
): Promise<string | undefined> {
  const id = uuid();
  const made = await tx`
    INSERT INTO runs (id, fn_id, origin, event_name, event, created_at, forget)
    VALUES (${id}, ${definition.id}, ${run.origin}, ${run.event.name}, ${JSON.stringify(run.event)}, ${run.now},
      ${run.forget ?? false})
    ON CONFLICT (origin) DO NOTHING RETURNING 1`;
  if (made.length === 0) return undefined;
  // Runs of an event with a time in the future start then.
  const at = Math.max(run.now, run.event.ts);
  await tx`
    INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank, limits)
    VALUES (${id}, ${definition.id}, 'discover', ${DISCOVERY_STEP}, '', ${at}, ${at},
      ${limitsOf(definition, run.event)}::text[])`;
  return id;
}

/** Locks a run that hasn't ended. Everything that changes a run does this first. */
export async function lockRun(tx: Db, id: string): Promise<Run | undefined> {
  const rows = await tx<Run[]>`
    SELECT id, fn_id, event, forget FROM runs WHERE id = ${id} AND ended_at IS NULL FOR UPDATE`;
  return rows[0];
}

/**
 * Stores the result of a queue item, and resumes the function once the run has no other planned step, so that parallel
 * steps cost one request together.
 */
export async function completeQueueItem(
  tx: Db,
  itemId: string,
  state: StepState,
  now: number,
): Promise<void> {
  const [item] = await tx<
    { run_id: string; fn_id: string; step_id: string; step_name: string; rank: number; limits: string[] }[]
  >`DELETE FROM queue WHERE id = ${itemId}
    RETURNING run_id, fn_id, step_id, step_name, rank, array_to_json(limits) AS limits`;
  if (!item) return;
  await saveStepResult(tx, item.run_id, item.step_id, item.step_name, state, now);
  await tx`
    INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank, limits)
    SELECT ${item.run_id}, ${item.fn_id}, 'discover', ${DISCOVERY_STEP}, '', ${now}, ${item.rank}, ${item.limits}::text[]
    WHERE NOT EXISTS (SELECT 1 FROM queue WHERE run_id = ${item.run_id} AND kind = 'step')
    ON CONFLICT (run_id, step_id) DO UPDATE SET again = queue.lease IS NOT NULL`;
}

export async function saveStepResult(
  tx: Db,
  runId: string,
  stepId: string,
  name: string,
  state: StepState,
  now: number,
): Promise<void> {
  const value = JSON.stringify((state.type === 'data' ? state.data : state.error) ?? null);
  await tx`
    INSERT INTO steps (run_id, id, name, type, value, ended_at)
    VALUES (${runId}, ${stepId}, ${stripNulCharacters(name)}, ${state.type}, ${value}, ${now})
    ON CONFLICT (run_id, id) DO NOTHING`;
}

/** Queues an event to be routed, as Inngest does at the end of a run. */
async function enqueueInternalEvent(
  tx: Db,
  name: string,
  data: Record<string, unknown>,
  { now, forget }: { now: number; forget: boolean },
): Promise<void> {
  const id = uuid();
  const payload: EventPayload = { id, name, data, ts: now };
  await tx`
    INSERT INTO events (id, name, payload, received_at, forget)
    VALUES (${id}, ${name}, ${JSON.stringify(payload)}, ${now}, ${forget})`;
}

/**
 * Ends a locked run, and deletes it if nothing of it is to be kept. Sends Inngest's event if it failed or was canceled.
 */
export async function endRun(tx: Db, run: Run, ending: RunResult, now: number): Promise<void> {
  const error = ending.status === 'failed' ? ending.error : undefined;
  const output = ending.status === 'completed' ? JSON.stringify(ending.output ?? null) : null;
  const why = ending.status === 'cancelled' ? { name: 'Cancelled', message: ending.reason } : (error ?? null);
  if (run.forget) {
    await tx`DELETE FROM runs WHERE id = ${run.id}`;
  } else {
    await tx`
      UPDATE runs SET status = ${ending.status}, ended_at = ${now}, output = ${output},
        error = ${why && JSON.stringify(why)}
      WHERE id = ${run.id}`;
    await tx`DELETE FROM queue WHERE run_id = ${run.id}`;
  }
  if (ending.status !== 'completed') {
    const name = ending.status === 'failed' ? internalEvents.failed : internalEvents.cancelled;
    const event: unknown = JSON.parse(run.event);
    const data = { function_id: run.fn_id, run_id: run.id, error: why, event, events: [event] };
    await enqueueInternalEvent(tx, name, data, { now, forget: run.forget });
  }
}
