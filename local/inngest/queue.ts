import { v7 as uuid } from 'uuid';
import type { EventPayload, StepState } from './protocol';
import { DISCOVERY_STEP } from './runs';
import type { Db, Sql } from './store';

/** A request to make to the app, with the lease that every write about it has to hold. */
export type QueueItem = {
  id: string;
  run_id: string;
  fn_id: string;
  step_id: string;
  attempt: number;
  limits: string[];
  lease: string;
};

/** What the app needs to continue a run. */
export type RunState = {
  event: EventPayload;
  steps: Record<string, StepState>;
  /** The ids of the memoized steps in the order they finished. */
  order: string[];
  /** Whether the run has other requests in progress or queued. Then the app must not run steps immediately. */
  hasOthers: boolean;
};

/** Counts the requests in progress for each concurrency limit. */
function countLimits(items: Iterable<QueueItem>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { limits } of items) {
    for (const entry of limits) {
      const name = entry.slice(entry.indexOf('|') + 1);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

function isUnderLimits(limits: string[], counts: Map<string, number>): boolean {
  return limits.every((entry) => {
    const at = entry.indexOf('|');
    return (counts.get(entry.slice(at + 1)) ?? 0) < Number(entry.slice(0, at));
  });
}

/** Picks up to `room` due requests, oldest runs first, and skips those over their concurrency limits. */
async function selectDueItems(
  sql: Sql,
  options: { now: number; room: number; underWay: QueueItem[]; functions: string[] },
): Promise<QueueItem[]> {
  const picked: QueueItem[] = [];
  const counts = countLimits(options.underWay);
  const full = new Set<string>();
  for (;;) {
    const due = await sql<QueueItem[]>`
      SELECT id, run_id, fn_id, step_id, attempt, array_to_json(limits) AS limits
      FROM queue
      WHERE kind IN ('discover', 'step') AND lease IS NULL AND available_at <= ${options.now}
        AND fn_id = ANY(${options.functions}::text[]) AND NOT limits && ${[...full]}::text[]
        AND NOT id = ANY(${picked.map((item) => item.id)}::text[]::bigint[])
      ORDER BY rank, id LIMIT ${options.room - picked.length}`;
    const passedBefore = full.size;
    for (const item of due) {
      if (isUnderLimits(item.limits, counts)) {
        picked.push({ ...item, lease: uuid() });
        for (const name of countLimits([item]).keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
      } else {
        for (const entry of item.limits) if (!isUnderLimits([entry], counts)) full.add(entry);
      }
    }
    // If some were skipped, others further back may still be within their limits.
    if (full.size === passedBefore || picked.length === options.room) return picked;
  }
}

/** Leases due requests for this generation; none when it no longer leads. */
export async function leaseItems(
  sql: Sql,
  options: { generation: number; now: number; room: number; underWay: QueueItem[]; functions: string[] },
): Promise<QueueItem[]> {
  const picked = await selectDueItems(sql, options);
  if (picked.length === 0) return [];
  const leased = await sql.begin(async (tx): Promise<{ id: string }[]> => {
    const leading = await tx`SELECT 1 FROM leader WHERE generation = ${options.generation} FOR SHARE`;
    if (leading.length === 0) return [];
    return tx<{ id: string }[]>`
      UPDATE queue SET lease = lent.lease
      FROM unnest(${picked.map((item) => item.id)}::text[]::bigint[], ${picked.map((item) => item.lease)}::text[])
        AS lent (id, lease)
      WHERE queue.id = lent.id AND queue.lease IS NULL RETURNING queue.id`;
  });
  const ids = new Set(leased.map(({ id }) => id));
  const items = picked.filter((item) => ids.has(item.id));
  await sql`
    UPDATE runs SET status = 'running', started_at = ${options.now}
    WHERE id = ANY(${items.map((item) => item.run_id)}::text[]) AND status = 'queued'`;
  return items;
}

/**
 * Releases leases of this generation that nobody holds, because the connection broke after they were written.
 */
export async function releaseOrphanedLeases(sql: Sql, generation: number, held: string[]): Promise<void> {
  await sql.begin(async (tx) => {
    const leading = await tx`SELECT 1 FROM leader WHERE generation = ${generation} FOR SHARE`;
    if (leading.length === 0) return;
    await tx`UPDATE queue SET lease = NULL WHERE lease IS NOT NULL AND NOT lease = ANY(${held}::text[])`;
  });
}

/** Reads the state of an item's run. Returns undefined if the lease is gone. */
export async function readRunState(sql: Sql, item: QueueItem): Promise<RunState | undefined> {
  return sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
    const [run] = await tx<{ event: string; others: boolean }[]>`
      SELECT event, EXISTS (
        SELECT 1 FROM queue AS other WHERE other.run_id = runs.id AND other.id <> ${item.id}
      ) AS others
      FROM runs JOIN queue ON queue.run_id = runs.id
      WHERE queue.id = ${item.id} AND queue.lease = ${item.lease}`;
    if (!run) return undefined;
    const rows = await tx<{ id: string; type: string; value: string }[]>`
      SELECT id, type, value FROM steps WHERE run_id = ${item.run_id} ORDER BY seq`;
    const steps = rows.map(({ id, type, value }): [string, StepState] => {
      const parsed: unknown = JSON.parse(value);
      return [id, type === 'data' ? { type, data: parsed } : { type: 'error', error: parsed }];
    });
    return {
      event: JSON.parse(run.event) as EventPayload,
      steps: Object.fromEntries(steps),
      order: rows.map((row) => row.id),
      hasOthers: run.others,
    };
  });
}

/** Locks an item. Returns whether its lease is still valid. */
export async function holdsLease(tx: Db, item: QueueItem): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM queue WHERE id = ${item.id} AND lease = ${item.lease} FOR UPDATE`;
  return rows.length > 0;
}

/** Returns an item to the queue, to be retried later. */
export async function releaseLease(
  db: Db,
  item: QueueItem,
  next: { at: number; attempt: number },
): Promise<void> {
  await db`
    UPDATE queue SET lease = NULL, again = false, available_at = ${next.at}, attempt = ${next.attempt}
    WHERE id = ${item.id} AND lease = ${item.lease}`;
}

export function isDiscovery(item: QueueItem): boolean {
  return item.step_id === DISCOVERY_STEP;
}
