import { v7 as uuid } from 'uuid';
import { DEDUPLICATION_WINDOW_MS } from './events';
import { type EventPayload, internalEvents } from './protocol';
import { cronOf, type FunctionDefinition } from './registry';
import { completeQueueItem, createRun, lockRun } from './runs';
import { purge, type Sql } from './store';

/** How long finished runs are kept, in milliseconds. */
const RUN_RETENTION_MS = 14 * 86_400_000;

/** Completes the sleeps that are due. */
export async function completeSleeps(sql: Sql, now: number): Promise<void> {
  const due = await sql<{ id: string; run_id: string }[]>`
    SELECT id, run_id FROM queue
    WHERE kind = 'sleep' AND available_at <= ${now} ORDER BY available_at LIMIT 100`;
  for (const item of due) {
    await sql.begin(async (tx) => {
      if (!(await lockRun(tx, item.run_id))) return;
      await completeQueueItem(tx, item.id, { type: 'data', data: null }, now);
    });
  }
}

/** Updates the rows of the app's cron triggers, which have the time of the next run. */
export async function syncCrons(sql: Sql, definitions: FunctionDefinition[], now: number): Promise<void> {
  const wanted = definitions.flatMap(({ id, crons }) => crons.map((expression) => ({ id, expression })));
  for (const { id, expression } of wanted) {
    const next = cronOf(expression).nextRun(new Date(now));
    if (!next) continue;
    await sql`
      INSERT INTO crons (fn_id, expression, next_at) VALUES (${id}, ${expression}, ${next.getTime()})
      ON CONFLICT DO NOTHING`;
  }
  const keys = wanted.map(({ id, expression }) => JSON.stringify([id, expression]));
  for (const row of await sql<{ fn_id: string; expression: string }[]>`SELECT fn_id, expression FROM crons`) {
    if (keys.includes(JSON.stringify([row.fn_id, row.expression]))) continue;
    await sql`DELETE FROM crons WHERE fn_id = ${row.fn_id} AND expression = ${row.expression}`;
  }
}

/**
 * Starts the cron triggers that are due. A trigger that was missed several times starts once.
 */
export async function startDueCrons(sql: Sql, definitions: FunctionDefinition[], now: number): Promise<void> {
  const due = await sql<{ fn_id: string; expression: string; next_at: number }[]>`
    SELECT fn_id, expression, next_at FROM crons WHERE next_at <= ${now} ORDER BY next_at`;
  for (const { fn_id, expression, next_at } of due) {
    const definition = definitions.find(({ id }) => id === fn_id);
    const next = cronOf(expression).nextRun(new Date(now));
    if (!definition || !next) continue;
    await sql.begin(async (tx) => {
      const origin = `cron ${fn_id} ${expression} ${next_at}`;
      const data = { cron: expression };
      const event: EventPayload = { id: uuid(), name: internalEvents.scheduled, data, ts: now };
      await createRun(tx, definition, { origin, event, now });
      await tx`
        UPDATE crons SET next_at = ${next.getTime()}
        WHERE fn_id = ${fn_id} AND expression = ${expression} AND next_at = ${next_at}`;
    });
  }
}

/** Deletes runs, events and event ids that are past their retention. */
export async function purgeOldRuns(sql: Sql, now: number): Promise<void> {
  await purge(sql, now - RUN_RETENTION_MS, now - DEDUPLICATION_WINDOW_MS);
}
