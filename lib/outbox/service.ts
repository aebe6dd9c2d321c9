import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Transaction } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { outbox } from '@/db/schema/outbox';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { afterResponse } from '@/lib/request-scope';
import type { Mail } from '@/lib/services/mail';
import { deliverOutbox } from './delivery';
import { encryptMail } from './encrypted-mail';
import type { EntryEvent } from './events';

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
  afterResponse(deliverOutbox);
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
 * Puts a mail in the outbox, in the transaction of what it follows from. It's encrypted there.
 * @param capped counts the mail as one of its kind. An address gets five of a kind an hour, whoever asks; of the
 * sixth nothing is sent, with the same single statement, so that neither the answer nor its time tells.
 * @returns whether it will be sent
 */
export async function enqueueMail(
  tx: Transaction | Database,
  mail: Mail,
  capped?: CappedMail,
): Promise<boolean> {
  const payload = await encryptMail(mail);
  const row = { id: uuidv7(), kind: 'mail', payload } as const;
  afterResponse(deliverOutbox);
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
