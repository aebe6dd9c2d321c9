import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { decode, encode } from 'next-auth/jwt';
import { v7 as uuidv7 } from 'uuid';
import { type Database, db, type Transaction } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { outbox } from '@/db/schema/outbox';
import { inngest } from '@/inngest/client';
import type { EntryEvent } from '@/inngest/events';
import { env } from '@/lib/env';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { log, requestScope } from '@/lib/log';
import { type Mail, sendMail } from '@/lib/services/mail';

const SEAL = 'daylight outbox';
const THIRTY_DAYS = 30 * 24 * 3600;

/** Marks the request at hand, so that `endpoint` sends the outbox as soon as the answer is out. */
function wake() {
  const scope = requestScope.getStore();
  if (scope) scope.outbox = true;
}

/**
 * Puts an event in the outbox, in the transaction of what it follows from.
 * @param id stable for what happened, so that Inngest runs it once however often it is sent
 */
export async function enqueueEvent(tx: Transaction | Database, id: string, event: EntryEvent): Promise<void> {
  await enqueueEvents(tx, [{ id, event }]);
}

/**
 * Puts several events in the outbox with one statement, each with an id as {@link enqueueEvent} takes it. One with a
 * `dueAt` isn't sent before then.
 */
export async function enqueueEvents(
  tx: Transaction | Database,
  events: { id: string; event: EntryEvent; dueAt?: Date }[],
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
  const payload = await encode({
    token: { mail },
    secret: env().AUTH_SECRET,
    salt: SEAL,
    maxAge: THIRTY_DAYS,
  });
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

type Row = typeof outbox.$inferSelect;

async function send(row: Row): Promise<void> {
  if (row.kind === 'event') {
    const event: EntryEvent = JSON.parse(row.payload);
    await inngest().send({ ...event, id: row.id });
    return;
  }
  const sealed = await decode({ token: row.payload, secret: env().AUTH_SECRET, salt: SEAL });
  if (sealed) await sendMail(row.id, sealed.mail as Mail);
}

/** Seconds until the next try: 5 s, doubling, at most 2 minutes, so that a service's return is soon noticed. */
const backoff = (attempts: number) => Math.min(5 * 2 ** attempts, 120);

/** How long a row taken for sending is left to its sender before another may take it. */
const LEASE_SECONDS = 60;

/**
 * Sends what is due, oldest first, and deletes what its service has acknowledged. A row is taken by moving its
 * due time, so that parallel calls do not send it twice; a sender that dies leaves it to a later call.
 * @returns how many were acknowledged
 */
export async function deliverOutbox(limit = 50): Promise<number> {
  const due = db()
    .select({ id: outbox.id })
    .from(outbox)
    .where(sql`${outbox.dueAt} <= now() and not ${outbox.dead}`)
    .orderBy(asc(outbox.dueAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  const rows = await db()
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      dueAt: sql`now() + ${LEASE_SECONDS} * interval '1 second'`,
    })
    .where(inArray(outbox.id, due))
    .returning();

  let sent = 0;
  for (const row of rows) {
    try {
      await send(row);
      await db().delete(outbox).where(eq(outbox.id, row.id));
      sent += 1;
    } catch (error) {
      const dead = error instanceof Error && 'permanent' in error && error.permanent === true;
      log[dead ? 'error' : 'warn'](
        { err: error, outboxId: row.id, kind: row.kind, dead },
        'outbox: not sent',
      );
      await db()
        .update(outbox)
        .set({ dead, dueAt: sql`now() + ${backoff(row.attempts - 1)} * interval '1 second'` })
        .where(eq(outbox.id, row.id));
    }
  }
  return sent;
}
