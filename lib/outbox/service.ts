import { and, asc, eq, type SQLWrapper, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Database, db, type Transaction } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { outbox } from '@/db/schema/outbox';
import { inngest } from '@/inngest/client';
import type { EntryEvent } from '@/inngest/events';
import { decrypt, encrypt } from '@/lib/encryption';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { log, requestScope } from '@/lib/log';
import { type Mail, sendMail } from '@/lib/services/mail';

const PURPOSE = 'daylight outbox';
const THIRTY_DAYS = 30 * 24 * 3600;

/** Marks the request at hand, so that `endpoint` sends the outbox as soon as the answer is out. */
function wake() {
  const scope = requestScope.getStore();
  if (scope) scope.outbox = true;
}

interface Delivery {
  /** The earliest time to send it; now by default. */
  dueAt?: Date;
}

/**
 * Puts an event in the outbox, in the transaction of what it follows from.
 * @param id stable for what happened, so that Inngest runs it once however often it is sent
 */
export async function enqueueEvent(
  tx: Transaction | Database,
  id: string,
  event: EntryEvent,
  delivery: Delivery = {},
): Promise<void> {
  await enqueueEvents(tx, [{ id, event, ...delivery }]);
}

/** Puts several events in the outbox with one statement, each with an id as {@link enqueueEvent} takes it. */
export async function enqueueEvents(
  tx: Transaction | Database,
  events: ({ id: string; event: EntryEvent } & Delivery)[],
): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insert(outbox)
    .values(
      events.map(({ id, event, dueAt }) => ({
        id,
        kind: 'event' as const,
        payload: JSON.stringify(event),
        ...(dueAt && { dueAt }),
      })),
    )
    .onConflictDoNothing();
  wake();
}

/** Takes an event that has not been sent yet out of the outbox. */
export async function withdrawEvent(tx: Transaction, id: string): Promise<void> {
  await tx.delete(outbox).where(and(eq(outbox.id, id), eq(outbox.kind, 'event')));
}

/** Emails that a stranger can cause to be sent to any address. Notices of what has happened to an account are none. */
export type CappedMail = 'verification' | 'address-taken' | 'reset' | 'email-change';

const CAP = 5;
/** Counted from the newest that was sent, so that no sixty minutes see more than {@link CAP}. */
const CAP_MILLISECONDS = 3_600_000;

/**
 * Puts a mail in the outbox, in the transaction of what it follows from. It lies there encrypted, because its
 * links open an account.
 * @param capped counts the mail as one of its kind. An address gets five of a kind an hour, whoever asks; of the
 * sixth nothing is sent, with the same single statement, so that neither the answer nor its time tells.
 * @returns whether it will be sent
 */
export async function enqueueMail(
  tx: Transaction | Database,
  mail: Mail,
  capped?: CappedMail,
): Promise<boolean> {
  const payload = await encrypt({ mail }, { purpose: PURPOSE, seconds: THIRTY_DAYS });
  const row = { id: uuidv7(), kind: 'mail', payload } as const;
  wake();
  if (!capped) {
    await tx.insert(outbox).values(row);
    return true;
  }
  const now = Date.now();
  const queued = await tx.execute(sql`
    with counted as (
      insert into ${rateLimits} as counter (key, points, expire)
      values (${`mail-${capped}:${keyedHash([mail.to])}`}, 1, ${now + CAP_MILLISECONDS})
      on conflict (key) do update set
        points = case when counter.expire <= ${now} then 1 else counter.points + 1 end,
        expire = case when counter.expire <= ${now} or counter.points < ${CAP} then excluded.expire else counter.expire end
      returning points)
    insert into ${outbox} (id, kind, payload)
    select ${row.id}::text, ${row.kind}::text, ${row.payload}::text from counted where points <= ${CAP}
    returning id`);
  return queued.length > 0;
}

/** Too old, or encrypted with an `AUTH_SECRET` that is no longer listed: it's kept, but never tried again. */
class UnreadableMail extends Error {
  readonly permanent = true;

  constructor() {
    super('no AUTH_SECRET decrypts this mail');
  }
}

type Row = typeof outbox.$inferSelect;

async function send(row: Row): Promise<void> {
  if (row.kind === 'event') {
    const event: EntryEvent = JSON.parse(row.payload);
    await inngest().send({ ...event, id: row.id });
    return;
  }
  const opened = await decrypt(row.payload, { purpose: PURPOSE });
  if (!opened) throw new UnreadableMail();
  await sendMail(row.id, opened.claims.mail as Mail);
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
export const KINDS = outbox.kind.enumValues;
export type Kind = (typeof KINDS)[number];

/** Rows of one kind that are sent at once. A row that hangs leaves the rest of its queue to the others. */
export const SENDERS = 4;

const isDue = (kind: SQLWrapper) =>
  sql`${outbox.kind} = ${kind} and ${outbox.dueAt} <= now() and not ${outbox.dead}`;

/** Returns the kinds that have something due. */
export async function dueKinds(): Promise<Kind[]> {
  const due = await db().execute<{ kind: Kind }>(sql`
    select kind from unnest(array[${sql.join(KINDS, sql`, `)}]::text[]) as kind
    where exists (select from ${outbox} where ${isDue(sql`kind`)})`);
  return due.map(({ kind }) => kind);
}

/** Takes the row of a kind that has been due longest by moving its due time, so that nobody else sends it. */
async function take(kind: Kind): Promise<Row | undefined> {
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
async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The service did not answer in time.')), SEND_TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Sends a taken row. @returns whether its service has acknowledged it; if not, the row waits for its next try */
async function attempt(row: Row): Promise<boolean> {
  try {
    await inTime(send(row));
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
export function sendDue(kind: Kind): Promise<number> {
  return sendSome(kind, () => true, 1);
}

/**
 * @param mayTake asked before each row
 * @param senders how many may send at once. Each starts the next when there was something to send.
 */
async function sendSome(kind: Kind, mayTake: () => boolean, senders: number): Promise<number> {
  let sent = 0;
  let others: Promise<PromiseSettledResult<number>[]> | undefined;
  while (mayTake()) {
    const row = await take(kind);
    if (!row) break;
    if (senders > 1) others ??= Promise.allSettled([sendSome(kind, mayTake, senders - 1)]);
    if (await attempt(row)) sent += 1;
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

/**
 * Sends what is due of every kind, the longest due first.
 * @param limit rows of each kind that are tried at most
 * @returns how many were acknowledged
 */
export async function deliverOutbox(limit = 50): Promise<number> {
  const ended = await Promise.allSettled(
    KINDS.map((kind) => {
      let left = limit;
      return sendSome(kind, () => left-- > 0, SENDERS);
    }),
  );
  return sum(ended);
}
