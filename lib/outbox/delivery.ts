import { and, asc, eq, type SQLWrapper, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { log } from '@/lib/log';
import { inngest } from '@/lib/services/inngest';
import { sendMail } from '@/lib/services/mail';
import { decryptMail } from './encrypted-mail';
import type { EntryEvent } from './events';

type Row = typeof outbox.$inferSelect;

async function send(row: Row): Promise<void> {
  if (row.kind === 'event') {
    const event: EntryEvent = JSON.parse(row.payload);
    await inngest().send({ ...event, id: row.id });
    return;
  }
  await sendMail(row.id, await decryptMail(row.payload));
}

/** Seconds until the next try: 5 s, doubling, at most 2 minutes, so that a service's return is soon noticed. */
const backoff = (attempts: number) => Math.min(5 * 2 ** attempts, 120);

/**
 * Seconds that a taken row is left to its sender. A sender that is killed delays the row by no more than this, and a
 * live one is done by then (see {@link SEND_TIMEOUT_MS}).
 */
export const LEASE_SECONDS = 10;

/** How long one try may take. Shorter than the lease, so that a row has one sender at a time. */
export const SEND_TIMEOUT_MS = 8000;

/** The services. Each has its own queue, so that one that hangs doesn't hold up the other. */
const DELIVERY_KINDS = outbox.kind.enumValues;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** Rows of one kind that are sent at once. A row that hangs leaves the rest of its queue to the others. */
export const CONCURRENCY = 4;

const isDue = (kind: SQLWrapper) =>
  sql`${outbox.kind} = ${kind} and ${outbox.dueAt} <= now() and not ${outbox.dead}`;

/** Returns the kinds that have something due. */
export async function dueKinds(): Promise<DeliveryKind[]> {
  const due = await db().execute<{ kind: DeliveryKind }>(sql`
    select kind from unnest(array[${sql.join(DELIVERY_KINDS, sql`, `)}]::text[]) as kind
    where exists (select from ${outbox} where ${isDue(sql`kind`)})`);
  return due.map(({ kind }) => kind);
}

/** Takes the row of a kind that has been due longest by moving its due time, so that nobody else sends it. */
async function leaseNextRow(kind: DeliveryKind): Promise<Row | undefined> {
  const longestDue = db()
    .select({ id: outbox.id })
    .from(outbox)
    .where(isDue(sql`${kind}`))
    .orderBy(asc(outbox.dueAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db()
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      dueAt: sql`now() + ${LEASE_SECONDS} * interval '1 second'`,
    })
    .where(eq(outbox.id, sql`(${longestDue})`))
    .returning();
  return row;
}

/** Waits for work, but no longer than a try may take. @throws Error when it takes longer */
async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The service did not answer in time.')), SEND_TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Sends a taken row. @returns whether its service has acknowledged it; if not, the row waits for its next try */
async function sendLeasedRow(row: Row): Promise<boolean> {
  try {
    await withTimeout(send(row));
  } catch (error) {
    const dead = error instanceof Error && 'permanent' in error && error.permanent === true;
    log[dead ? 'error' : 'warn']({ err: error, outboxId: row.id, kind: row.kind, dead }, 'outbox: not sent');
    await db()
      .update(outbox)
      .set({ dead, dueAt: sql`now() + ${backoff(row.attempts - 1)} * interval '1 second'` })
      // Unless somebody else has taken it since.
      .where(and(eq(outbox.id, row.id), eq(outbox.attempts, row.attempts)));
    return false;
  }
  await db().delete(outbox).where(eq(outbox.id, row.id));
  return true;
}

/**
 * Sends what is due of one kind, one row after the other, and deletes what its service has acknowledged. Parallel
 * calls share the work. A sender that dies leaves its row to a later call.
 * @returns how many were acknowledged
 */
export function sendDue(kind: DeliveryKind): Promise<number> {
  return drainQueue(kind, () => true, 1);
}

/**
 * @param mayTake asked before each row
 * @param senders how many may send at once. Each starts the next when there was something to send.
 */
async function drainQueue(kind: DeliveryKind, mayTake: () => boolean, senders: number): Promise<number> {
  let sent = 0;
  let others: Promise<PromiseSettledResult<number>[]> | undefined;
  while (mayTake()) {
    const row = await leaseNextRow(kind);
    if (!row) break;
    if (senders > 1) others ??= Promise.allSettled([drainQueue(kind, mayTake, senders - 1)]);
    if (await sendLeasedRow(row)) sent += 1;
  }
  return sent + sum(await others);
}

/** Adds up what several senders have sent. @throws what one of them has thrown */
function sum(ended: PromiseSettledResult<number>[] = []): number {
  return ended.reduce((total, one) => {
    if (one.status === 'rejected') throw one.reason;
    return total + one.value;
  }, 0);
}

/** How many rows of each kind one call of {@link deliverOutbox} tries at most. */
const BATCH = 50;

/**
 * Sends what's due of every kind, the longest due first.
 * @returns how many were acknowledged
 */
export async function deliverOutbox(limit = BATCH): Promise<number> {
  const ended = await Promise.allSettled(
    DELIVERY_KINDS.map((kind) => {
      let left = limit;
      return drainQueue(kind, () => left-- > 0, CONCURRENCY);
    }),
  );
  return sum(ended);
}
