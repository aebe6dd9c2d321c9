import { and, eq, like, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { anyOf } from '@/db/any-of';
import type { Database, Transaction } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { outbox } from '@/db/schema/outbox';
import type { Mail } from '@/lib/clients/mail-message';
import { afterResponse } from '@/lib/foundation/request-scope';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { decryptMail, encryptMail, MAIL_SECONDS } from './encrypted-mail';
import type { OutboxEvent } from './events';

/** Loads what sends only once something waits: Inngest's SDK takes longer to load than most requests to be answered. */
const deliver = async () => (await import('./delivery')).deliverOutbox();

interface QueuedEvent {
  /** An idempotency key: Inngest starts one run for it, however often it's sent. */
  id: string;
  event: OutboxEvent;
  /** The earliest time to send it; now by default. */
  dueAt?: Date;
}

/** Adds an event to the outbox, in the transaction that causes it. See {@link QueuedEvent}. */
export const enqueueEvent = (
  tx: Transaction | Database,
  id: string,
  event: OutboxEvent,
  delivery: Pick<QueuedEvent, 'dueAt'> = {},
): Promise<void> => enqueueEvents(tx, [{ id, event, ...delivery }]);

/** Adds several events to the outbox in one statement; see {@link enqueueEvent}. */
export async function enqueueEvents(tx: Transaction | Database, events: QueuedEvent[]): Promise<void> {
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
  afterResponse(deliver);
}

/** Removes events that haven't been sent yet from the outbox. */
export async function withdrawEvents(tx: Transaction, ids: string[]): Promise<void> {
  await tx.delete(outbox).where(and(anyOf(outbox.id, ids), eq(outbox.kind, 'event')));
}

/** So many emails in so many milliseconds, which count from the latest one sent, so that no such time has more. */
interface Cap {
  mails: number;
  ms: number;
}

const FIVE_AN_HOUR: Cap = { mails: 5, ms: 3_600_000 };

/** Emails of which an address gets only so many: what anyone can have sent to it, and what goes on for days. Notices about an account aren't limited. */
const CAPS = {
  verification: FIVE_AN_HOUR,
  'address-taken': FIVE_AN_HOUR,
  reset: FIVE_AN_HOUR,
  'email-change': FIVE_AN_HOUR,
  'disk-full': { mails: 1, ms: 24 * 3_600_000 },
} satisfies Record<string, Cap>;
export type CappedMail = keyof typeof CAPS;

/**
 * Adds an email to the outbox, encrypted, in the transaction that causes it.
 * @param capped limits this kind of email for each address, whoever asks. One too many isn't sent; it runs the same
 * single statement, so that neither the response nor its timing reveals it.
 * @returns whether it will be sent
 */
export async function enqueueMail(
  tx: Transaction | Database,
  mail: Mail,
  capped?: CappedMail,
): Promise<boolean> {
  const payload = await encryptMail(mail);
  const row = { id: uuidv7(), kind: 'mail', payload } as const;
  afterResponse(deliver);
  if (!capped) {
    await tx.insert(outbox).values(row);
    return true;
  }
  const { mails, ms } = CAPS[capped];
  const now = Date.now();
  const queued = await tx.execute(sql`
    with counted as (
      insert into ${rateLimits} as counter (key, points, expire)
      values (${`mail-${capped}:${keyedHash([mail.to])}`}, 1, ${now + ms})
      on conflict (key) do update set
        points = case when counter.expire <= ${now} then 1 else counter.points + 1 end,
        expire = case when counter.expire <= ${now} or counter.points < ${mails} then excluded.expire else counter.expire end
      returning points)
    insert into ${outbox} (id, kind, payload)
    select ${row.id}::text, ${row.kind}::text, ${row.payload}::text from counted where points <= ${mails}
    returning id`);
  return queued.length > 0;
}

/** Returns whether an email is to an account's address or has a link of the account's, such as one to a former address. */
async function isOfAccount(payload: string, { id, email }: { id: string; email: string }): Promise<boolean> {
  const mail = await decryptMail(payload).catch(() => null);
  return mail !== null && (mail.to === email || mail.text.includes(Buffer.from(id).toString('base64url')));
}

/**
 * Deletes what an account has in the outbox, sent or not: its events and emails, and the counts of its emails. Emails
 * too old to be decrypted go as well, whoever they were to: nobody can tell, and nobody can read them.
 */
export async function deleteAccountMessages(
  tx: Transaction,
  account: { id: string; email: string },
): Promise<void> {
  await tx.delete(outbox).where(and(eq(outbox.kind, 'event'), like(outbox.payload, `%${account.id}%`)));
  await tx
    .delete(outbox)
    .where(
      and(eq(outbox.kind, 'mail'), sql`${outbox.createdAt} < now() - ${MAIL_SECONDS} * interval '1 second'`),
    );
  const mails = await tx
    .select({ id: outbox.id, payload: outbox.payload })
    .from(outbox)
    .where(eq(outbox.kind, 'mail'));
  for (const { id, payload } of mails) {
    if (await isOfAccount(payload, account)) await tx.delete(outbox).where(eq(outbox.id, id));
  }
  await tx
    .delete(rateLimits)
    .where(and(like(rateLimits.key, 'mail-%'), like(rateLimits.key, `%:${keyedHash([account.email])}`)));
}
