import { and, asc, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { outbox } from '@/db/schema/outbox';
import { inngest } from '@/lib/clients/inngest';
import { mailTimeoutMs, sendMail } from '@/lib/clients/mail';
import { log } from '@/lib/foundation/log';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { record } from '@/lib/foundation/telemetry/metrics';
import { traced } from '@/lib/foundation/telemetry/spans';
import { decryptMail } from './encrypted-mail';
import type { OutboxEvent } from './events';

type Row = typeof outbox.$inferSelect;

/** Returns whether the address belongs to an account that's turned off, which gets no email. */
async function isTurnedOff(email: string): Promise<boolean> {
  const owner = and(eq(users.email, email), isNotNull(users.disabledAt));
  return (await db().$count(users, owner)) > 0;
}

async function send(row: Row): Promise<void> {
  if (row.kind === 'event') {
    const event: OutboxEvent = JSON.parse(row.payload);
    const attributes = { 'daylight.event': event.name, 'daylight.attempt': row.attempts };
    const traceOf = 'entryId' in event.data ? event.data.entryId : undefined;
    await traced('outbox send', () => inngest().send({ ...event, id: row.id }), { attributes, traceOf });
    return;
  }
  const mail = await decryptMail(row.payload);
  if (mail.expiresAt && Date.parse(mail.expiresAt) < Date.now()) return;
  // Asked here, so that it also holds for emails that were waiting when the account was turned off.
  if (!(await isTurnedOff(mail.to))) await traced('outbox mail', () => sendMail(row.id, mail));
}

/** Returns the seconds until the next try: 5, doubling up to 2 minutes, so that a recovered service is noticed soon. */
const backoff = (attempts: number) => Math.min(5 * 2 ** attempts, 120);

const EVENT_TIMEOUT_MS = 8000;

/** Returns how long one try may take, in milliseconds. Shorter than the lease, so that a row has one sender at a time. */
const sendTimeoutMs = (kind: DeliveryKind): number =>
  kind === 'mail' ? mailTimeoutMs() + 1000 : EVENT_TIMEOUT_MS;

/**
 * Returns how long a sender leases a row, in seconds. A sender that's killed delays its row by no more than this, and a
 * live one is done by then.
 */
const leaseSeconds = (kind: DeliveryKind): number => sendTimeoutMs(kind) / 1000 + 2;

/** One queue for each service, so that one that hangs doesn't hold up the other. */
const DELIVERY_KINDS = outbox.kind.enumValues;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** How many rows of one kind are sent at once, so that one that hangs doesn't block its queue. */
export const SEND_CONCURRENCY = 4;

/**
 * Due times are rounded to the millisecond, up as well as down, so now() is too. Otherwise a row that's due now could
 * seem to be due half a millisecond later, and wait for the next poll.
 */
const isDue = (kind: SQLWrapper) =>
  sql`${outbox.kind} = ${kind} and ${outbox.dueAt} <= now()::timestamptz(3) and not ${outbox.dead}`;

/** Returns the kinds that have rows due. */
export async function dueKinds(tx: Transaction | Database = db()): Promise<DeliveryKind[]> {
  const due = await tx.execute<{ kind: DeliveryKind }>(sql`
    select kind from unnest(array[${sql.join(DELIVERY_KINDS, sql`, `)}]::text[]) as kinds (kind)
    where exists (select from ${outbox} where ${isDue(sql`kinds.kind`)})`);
  return due.map(({ kind }) => kind);
}

/** Leases the row of a kind that has been due longest by moving its due time, so that nobody else sends it. */
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
      dueAt: sql`now() + ${leaseSeconds(kind)} * interval '1 second'`,
    })
    .where(eq(outbox.id, sql`(${longestDue})`))
    .returning();
  return row;
}

const countSent = ({ kind }: Row, outcome: 'sent' | 'retried' | 'rejected') =>
  record('daylight.outbox.sent', 1, { 'daylight.kind': kind, 'daylight.outcome': outcome });

/** Sends a leased row. @returns whether its service acknowledged it; if not, the row waits for its next try */
async function sendLeasedRow(row: Row): Promise<boolean> {
  try {
    await withTimeout(send(row), sendTimeoutMs(row.kind), () => {
      throw new Error('The service did not answer in time.');
    });
  } catch (error) {
    const dead = error instanceof Error && 'permanent' in error && error.permanent === true;
    countSent(row, dead ? 'rejected' : 'retried');
    log[dead ? 'error' : 'warn']({ err: error, outboxId: row.id, kind: row.kind, dead }, 'outbox: not sent');
    await db()
      .update(outbox)
      .set({ dead, dueAt: sql`now() + ${backoff(row.attempts - 1)} * interval '1 second'` })
      // Unless someone else has leased it since.
      .where(and(eq(outbox.id, row.id), eq(outbox.attempts, row.attempts)));
    return false;
  }
  countSent(row, 'sent');
  await db().delete(outbox).where(eq(outbox.id, row.id));
  return true;
}

/**
 * Sends the due rows of one kind, one after the other, and deletes those that its service acknowledged. Parallel calls
 * share the work. If a sender dies, a later call sends its row.
 * @returns how many were acknowledged
 */
export function sendDue(kind: DeliveryKind): Promise<number> {
  return drainQueue(kind, () => true, 1);
}

/**
 * Sends the due rows of one kind until none are left.
 * @param mayTake checked before each row
 * @param senders how many may send at once; each starts the next one if it found a row
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

/** Returns how many rows several senders sent. @throws what one of them threw */
function sum(ended: PromiseSettledResult<number>[] = []): number {
  return ended.reduce((total, one) => {
    if (one.status === 'rejected') throw one.reason;
    return total + one.value;
  }, 0);
}

/** How many rows of each kind one call of {@link deliverOutbox} tries. */
const BATCH = 50;

/**
 * Sends the due rows of every kind, longest due first.
 * @returns how many were acknowledged
 */
export async function deliverOutbox(limit = BATCH): Promise<number> {
  const ended = await Promise.allSettled(
    DELIVERY_KINDS.map((kind) => {
      let left = limit;
      return drainQueue(kind, () => left-- > 0, SEND_CONCURRENCY);
    }),
  );
  return sum(ended);
}
