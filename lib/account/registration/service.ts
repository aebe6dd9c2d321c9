import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { assertMayRegister, INVITATION_INVALID, redeemInvitation } from '@/lib/account/invitations/service';
import { assertUncommonPassword } from '@/lib/account/passwords/common-passwords';
import { createLink, deleteLink, redeemLink } from '@/lib/account/passwords/links';
import { lockAccount } from '@/lib/account/passwords/locks';
import { hashPassword, withHashingLimit } from '@/lib/account/passwords/passwords';
import { sendChangeNotice } from '@/lib/account/security/notices';
import { secureAccount } from '@/lib/account/security/secure-account';
import { snapshotAccount } from '@/lib/account/security/snapshot';
import { createSession } from '@/lib/account/sessions/create-session';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { assertSecondFactor } from '@/lib/account/two-factor/service';
import { AppError } from '@/lib/foundation/contract/errors';
import type { AccountStatus } from '@/lib/foundation/contract/fields';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt, resetAttempts } from '@/lib/limits/service';
import { addressTakenMail, resetMail, verificationMail } from '@/lib/messaging/mails/account-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import type * as contract from './contract';

const statusOf = (verified: boolean): AccountStatus => (verified ? 'VERIFIED' : 'NOT_VERIFIED');

async function findByEmail(email: string) {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  return user;
}

/**
 * Creates an account. With an invitation's emailed link, its address is verified; otherwise sends a verification email.
 * If the address is taken, its owner gets an email that says so, and the same steps and statements run, so that timing
 * reveals no more than the response does.
 * @returns `accountId`, which is no account's if the address is taken
 * @throws AppError `rate_limited`, `unavailable`, `validation_failed`; `conflict` while sign-up is closed;
 * `invalid_or_expired_link` if sign-up needs an invitation and there's none for this address
 */
export async function register(
  input: z.output<typeof contract.register.body>,
  client: Client,
): Promise<{ accountStatus: AccountStatus; accountId: string }> {
  const { password, invite, next: _, ...rest } = input;
  await assertUncommonPassword(password, rest.email, 'password');
  const attempt = { subject: rest.email, client: client.address };
  const passwordHash = await withHashingLimit('register', attempt, async ({ hash }) => {
    await assertMayRegister(rest.email, invite);
    return hash(password);
  });
  return db().transaction(async (tx) => {
    const id = uuidv7();
    const invited = invite === undefined ? null : await redeemInvitation(tx, rest.email, invite);
    const verified = Boolean(invited?.provesAddress);
    await tx
      .insert(users)
      .values({ id, passwordHash, ...(verified && { verifiedAt: sql`now()` }), ...rest })
      .onConflictDoNothing({ target: users.email });
    const [owner] = await tx.select().from(users).where(eq(users.email, rest.email));
    const created = owner?.id === id;
    if (invited && !created) throw new AppError('invalid_or_expired_link', { message: INVITATION_INVALID });
    if (verified) {
      await recordAuditEvent('account.registered', { userId: id, detail: 'invitation' }, tx);
      return { accountStatus: 'VERIFIED', accountId: id };
    }
    // The link contains the id of the account being created; for a taken address there is none.
    const token = await createLink(tx, id, 'verify');
    const mails = [
      await verificationMail({ id, ...rest }, token),
      await addressTakenMail(owner ?? { id, ...rest }),
    ] as const;
    if (created) await enqueueMail(tx, mails[0], 'verification');
    else await enqueueMail(tx, mails[1], 'address-taken');
    await recordAuditEvent(created ? 'account.registered' : 'account.taken', { userId: owner?.id }, tx);
    return { accountStatus: 'NOT_VERIFIED', accountId: id };
  });
}

/**
 * Checks the password, and the second factor if there is one, and starts a session. Unverified accounts can sign in
 * too.
 * @throws AppError `rate_limited` or `unavailable` before anything is hashed; `invalid_credentials`, also for an
 * unknown address and in the same time; `validation_failed` with `fields.code` if the password is right but the code
 * is missing or wrong
 */
export async function login(
  input: z.output<typeof contract.login.body>,
  client: Client,
): Promise<{ accountStatus: AccountStatus; tokens: SessionTokens }> {
  const attempt = { subject: input.email, client: client.address };
  const { user, same } = await withHashingLimit('login', attempt, async ({ matches }) => {
    const user = await findByEmail(input.email);
    return { user, same: await matches(user?.passwordHash, input.password.normalize('NFC')) };
  });
  if (!user?.passwordHash || !same) {
    await recordAuditEvent('login.refused', { userId: user?.id });
    throw new AppError('invalid_credentials');
  }
  // Only failures count. Being asked for a code isn't one, but a wrong code is.
  if (!input.code) await resetAttempts('login', attempt);
  await assertSecondFactor(user.id, input.code, client);
  if (input.code) await resetAttempts('login', attempt);
  const { passwordHash } = user;
  const verified = user.verifiedAt !== null;
  const tokens = await db().transaction(async (tx) => {
    // If the password changed while this one was being compared, it must not leave a session behind.
    const [unchanged] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, user.id), eq(users.passwordHash, passwordHash)))
      .for('share');
    if (!unchanged) throw new AppError('invalid_credentials');
    return createSession(tx, { id: user.id, verified }, client, 'password');
  });
  return { accountStatus: statusOf(verified), tokens };
}

/** @throws AppError `rate_limited` */
export async function allowReset(email: string, client: Client): Promise<void> {
  await countAttempt('reset', { subject: email, client: client.address });
}

/** Sends a reset link if the address has an account. Call it after responding, so that timing reveals nothing. */
export async function requestReset(email: string): Promise<void> {
  const user = await findByEmail(email);
  if (!user) return;
  await db().transaction(async (tx) => {
    // A link must not go to an address that stopped being the account's in the meantime.
    if ((await lockAccount(tx, user.id))?.email !== email) return;
    const token = await createLink(tx, user.id, 'reset');
    if (await enqueueMail(tx, await resetMail(user, token), 'reset')) {
      await recordAuditEvent('reset.requested', { userId: user.id }, tx);
    } else {
      // Otherwise strangers could fill the table from many clients.
      await deleteLink(tx, token);
    }
  });
}

/**
 * Sets a new password, which becomes the only sign-in method: ends every session and turns off every other method.
 * The link came by email, so this verifies the address.
 * @throws AppError `invalid_or_expired_link`; `validation_failed` or `unavailable`, which leave the link usable
 */
export async function resetPassword(
  uidb64: string,
  token: string,
  newPassword: string,
  client: Client,
): Promise<void> {
  await assertUncommonPassword(newPassword, '', 'newPassword');
  await redeemLink(uidb64, token, 'reset', async (tx, { userId }) => {
    // Only someone with a link gets to the expensive part; anyone else using the same link waits for the row.
    const passwordHash = await hashPassword(newPassword, client.address);
    const before = await snapshotAccount(tx, userId);
    await tx
      .update(users)
      .set({ passwordHash, verifiedAt: sql`coalesce(${users.verifiedAt}, now())` })
      .where(eq(users.id, userId));
    await secureAccount(tx, userId);
    // Anyone may have had the account until now, so undoing the reset mustn't bring back the password they set.
    if (before.verified) await sendChangeNotice(tx, before, 'password-reset');
    await recordAuditEvent('password.reset', { userId }, tx);
  });
}
