import { and, eq, like, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { outbox } from '@/db/schema/outbox';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { decryptMail, MAIL_SECONDS } from './encrypted-mail';

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
