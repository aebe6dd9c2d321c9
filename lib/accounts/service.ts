import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { countTry, forgiveTries } from '@/lib/limits/service';
import { enqueueMail } from '@/lib/outbox/service';
import { sendChangeNotice } from '@/lib/security/notices';
import { stateBefore } from '@/lib/security/snapshot';
import { assertSecondFactor } from '@/lib/security/two-factor';
import { endAllSessions, type SessionTokens } from '@/lib/sessions/service';
import { createSession } from '@/lib/sessions/start';
import { assertUncommon } from './common-passwords';
import type { AccountStatus, login as loginContract, register as registerContract } from './contract';
import { createLink, redeemLink, secondsSinceLink } from './links';
import { addressTakenMail, resetMail, verificationMail } from './mails';
import { hashPassword, passwordMatches } from './passwords';

const statusOf = (verified: boolean): AccountStatus => (verified ? 'VERIFIED' : 'NOT_VERIFIED');

async function findByEmail(email: string) {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  return user;
}

/**
 * Opens an account and sends its verification mail; the owner of a taken address gets a mail that says so. Both
 * ways take the same steps and statements, so that the time tells no more than the answer.
 * @throws AppError `rate_limited`, `validation_failed`
 */
export async function register(input: z.output<typeof registerContract.body>, client: Client): Promise<void> {
  const { password, ...rest } = input;
  await assertUncommon(password, rest.email, 'password');
  await countTry('register', { subject: rest.email, client: client.address });
  const passwordHash = await hashPassword(password);
  await db().transaction(async (tx) => {
    const id = uuidv7();
    await tx
      .insert(users)
      .values({ id, passwordHash, ...rest })
      .onConflictDoNothing({ target: users.email });
    const [owner] = await tx.select().from(users).where(eq(users.email, rest.email));
    // The link goes with the id of the account that was to be opened: for a taken address there is none.
    const token = await createLink(tx, id, 'verify');
    const mails = [
      await verificationMail({ id, ...rest }, token),
      await addressTakenMail(owner ?? { id, ...rest }),
    ] as const;
    const created = owner?.id === id;
    await enqueueMail(tx, created ? mails[0] : mails[1]);
    await note(created ? 'account.registered' : 'account.taken', { userId: owner?.id }, tx);
  });
}

/**
 * Checks the password, and the second factor where there is one, and starts a session; for an unverified account
 * too.
 * @throws AppError `rate_limited` before anything is hashed; `invalid_credentials`, the same for an unknown
 * address and in the same time; `validation_failed` with `fields.code` when the password is right and the code
 * is missing or wrong
 */
export async function login(
  input: z.output<typeof loginContract.body>,
  client: Client,
): Promise<{ accountStatus: AccountStatus; tokens: SessionTokens }> {
  const attempt = { subject: input.email, client: client.address };
  await countTry('login', attempt);
  const user = await findByEmail(input.email);
  const matches = await passwordMatches(user?.passwordHash, input.password.normalize('NFC'));
  if (!user?.passwordHash || !matches) {
    await note('login.refused', { userId: user?.id });
    throw new AppError('invalid_credentials');
  }
  await assertSecondFactor(user.id, input.code, client);
  await forgiveTries('login', attempt);
  const { passwordHash } = user;
  const verified = user.verifiedAt !== null;
  const tokens = await db().transaction(async (tx) => {
    // A password that was changed while this one was being compared must not leave a session behind.
    const [same] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, user.id), eq(users.passwordHash, passwordHash)))
      .for('share');
    if (!same) throw new AppError('invalid_credentials');
    return createSession(tx, { id: user.id, verified }, client, 'password');
  });
  return { accountStatus: statusOf(verified), tokens };
}

/**
 * Marks the address as verified.
 * @throws AppError `invalid_or_expired_link`
 */
export async function verifyEmail(uid: string, token: string): Promise<{ accountStatus: AccountStatus }> {
  await redeemLink(uid, token, 'verify', async (tx, { userId }) => {
    await tx
      .update(users)
      .set({ verifiedAt: sql`coalesce(${users.verifiedAt}, now())` })
      .where(eq(users.id, userId));
    await note('account.verified', { userId }, tx);
  });
  return { accountStatus: 'VERIFIED' };
}

/** Between two verification mails to one address. */
const RESEND_SECONDS = 60;

function assertMinutePassed(seconds: number | null): void {
  if (seconds === null || seconds >= RESEND_SECONDS) return;
  throw new AppError('rate_limited', {
    message: 'A mail was sent less than a minute ago. Please look for it, or try again in a moment.',
    retryAfter: Math.ceil(RESEND_SECONDS - seconds),
  });
}

async function sendVerification(user: { id: string; email: string; firstName: string }): Promise<void> {
  await db().transaction(async (tx) => {
    const token = await createLink(tx, user.id, 'verify');
    await enqueueMail(tx, await verificationMail(user, token));
  });
}

/**
 * Sends the signed-in account a new verification mail, unless its address is verified already.
 * @throws AppError `rate_limited` within a minute of the last one
 */
export async function resendVerification(
  user: { id: string; email: string; firstName: string; verified: boolean },
  client: Client,
): Promise<void> {
  await countTry('resend', { subject: user.email, client: client.address });
  if (user.verified) return;
  assertMinutePassed(await secondsSinceLink(user.id));
  await sendVerification(user);
}

/**
 * Whether the browser that has registered this address may have another mail, by what the browser itself
 * remembers, so that the answer is alike whether or not the address had an account.
 * @param askedAt when it last had one sent, in milliseconds since 1970
 * @throws AppError `rate_limited`
 */
export async function allowResend(email: string, askedAt: number, client: Client): Promise<void> {
  await countTry('resend', { subject: email, client: client.address });
  assertMinutePassed((Date.now() - askedAt) / 1000);
}

/** Sends the mail that was allowed by {@link allowResend}. Call it after the answer, as its time would tell. */
export async function resendToRegistered(email: string): Promise<void> {
  const user = await findByEmail(email);
  if (!user || user.verifiedAt) return;
  const since = await secondsSinceLink(user.id);
  if (since === null || since >= RESEND_SECONDS) await sendVerification(user);
}

/** @throws AppError `rate_limited` */
export async function allowReset(email: string, client: Client): Promise<void> {
  await countTry('reset', { subject: email, client: client.address });
}

/** Sends a reset link, if the address has an account. Call it after the answer, so that its time tells nothing. */
export async function requestReset(email: string): Promise<void> {
  const user = await findByEmail(email);
  if (!user) return;
  await db().transaction(async (tx) => {
    const token = await createLink(tx, user.id, 'reset');
    await enqueueMail(tx, await resetMail(user, token));
    await note('reset.requested', { userId: user.id }, tx);
  });
}

/**
 * Sets a new password and ends every session of the account. The link came by mail, so it verifies the address.
 * @throws AppError `invalid_or_expired_link`, `validation_failed` (which leaves the link as it was)
 */
export async function resetPassword(uidb64: string, token: string, newPassword: string): Promise<void> {
  await assertUncommon(newPassword, '', 'newPassword');
  await redeemLink(uidb64, token, 'reset', async (tx, { userId }) => {
    // Only the holder of a link reaches the costly part; whoever else uses it at the same time waits for the row.
    const passwordHash = await hashPassword(newPassword);
    const before = await stateBefore(tx, userId);
    await tx
      .update(users)
      .set({ passwordHash, verifiedAt: sql`coalesce(${users.verifiedAt}, now())` })
      .where(eq(users.id, userId));
    await endAllSessions(tx, userId);
    await sendChangeNotice(tx, before, 'password-changed');
    await note('password.reset', { userId }, tx);
  });
}
