import { eq, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { identities, passkeys, twoFactor } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { lockAccount } from '@/lib/account/passwords/locks';
import { withHashingLimit } from '@/lib/account/passwords/passwords';
import type { User } from '@/lib/account/sessions/service';
import { confirmWithPasskey } from '@/lib/account/webauthn/confirm';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { resetAttempts } from '@/lib/limits/service';
import type { StepUpProof } from './contract';
import { assertSecondFactor, CODE_MISSING, twoFactorState } from './two-factor';

/** Names each part that's missing or wrong; the first one's sentence is the message. */
function invalidProofError(fields: Record<string, string>): AppError {
  return new AppError('validation_failed', { message: Object.values(fields)[0] ?? '', fields });
}

async function ownerOf(user: User) {
  const [owner] = await db()
    .select({
      passwordHash: users.passwordHash,
      justSignedIn: sql<boolean>`${sessions.createdAt} > now() - interval '10 minutes'`,
      asksForCode: sql<boolean>`exists (select 1 from ${twoFactor} where ${twoFactor.userId} = ${users.id} and ${twoFactor.confirmedAt} is not null)`,
    })
    .from(users)
    .innerJoin(sessions, eq(sessions.id, user.sessionId))
    .where(eq(users.id, user.id));
  if (!owner) throw new AppError('unauthenticated');
  return owner;
}

async function comparePassword(
  user: User,
  passwordHash: string,
  password: string,
  client: Client,
): Promise<void> {
  const attempt = { subject: user.id, client: client.address };
  const same = await withHashingLimit('password', attempt, ({ matches }) =>
    matches(passwordHash, password.normalize('NFC')),
  );
  if (!same) {
    await recordAuditEvent('password.refused', { userId: user.id, sessionId: user.sessionId });
    throw invalidProofError({ currentPassword: 'That isn’t your current password.' });
  }
  await resetAttempts('password', attempt);
}

const STALE = 'You can only do this within 10 minutes of signing in. Log out, then log in again.';

/**
 * Makes sure that it's the owner who uses the session, before anything that could shut them out: a device left open, a
 * stolen cookie or a stolen password alone isn't enough. It takes everything the account has, which is its password
 * and a code where an authenticator app is on, or a passkey in place of both. Without a password, a sign-in within the
 * last ten minutes counts as one.
 * @returns the password's hash at that moment, null where there's none
 * @throws AppError `validation_failed` with `fields.currentPassword`, `fields.code` or `fields.passkey`; `rate_limited`
 * or `unavailable`
 */
export async function assertStepUp(
  user: User,
  { currentPassword, code, passkey }: StepUpProof,
  client: Client,
): Promise<string | null> {
  const { passwordHash, justSignedIn, asksForCode } = await ownerOf(user);
  if (passkey) {
    if (await confirmWithPasskey(user, passkey, client)) return passwordHash;
    await recordAuditEvent('passkey.refused', { userId: user.id, sessionId: user.sessionId });
    throw invalidProofError({ passkey: 'That passkey didn’t work. Try again, or use another way.' });
  }
  const missing = {
    ...(passwordHash !== null && !currentPassword ? { currentPassword: 'Enter your current password.' } : {}),
    ...(passwordHash === null && !justSignedIn ? { currentPassword: STALE } : {}),
    ...(asksForCode && !code?.trim() ? { code: CODE_MISSING } : {}),
  };
  if (Object.keys(missing).length > 0) throw invalidProofError(missing);
  if (passwordHash !== null) await comparePassword(user, passwordHash, currentPassword ?? '', client);
  await assertSecondFactor(user.id, code, client);
  return passwordHash;
}

/** The ways to sign in to the account; passkeys and providers that are turned off don't count. */
export async function signInMethods(userId: string, tx: Transaction | ReturnType<typeof db> = db()) {
  const [ways] = await tx
    .select({
      password: sql<boolean>`${users.passwordHash} is not null`,
      passkeys: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.userId} = ${userId} and ${passkeys.disabledAt} is null)`,
      identities: sql<number>`(select count(*)::int from ${identities} where ${identities.userId} = ${userId} and ${identities.disabledAt} is null)`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return ways ?? { password: false, passkeys: 0, identities: 0 };
}

/** Returns which proofs {@link assertStepUp} takes from an account. */
export async function findFactors(userId: string) {
  const [ways, { enabled }] = await Promise.all([signInMethods(userId), twoFactorState(userId)]);
  return { password: ways.password, code: enabled, passkey: ways.passkeys > 0 };
}

/**
 * Keeps an account from losing its last sign-in method. Call it in the transaction that removes one, after the removal; those
 * that remove others at the same time wait here for each other.
 * @throws AppError `conflict`
 */
export async function assertSignInMethodLeft(tx: Transaction, userId: string): Promise<void> {
  await lockAccount(tx, userId);
  const ways = await signInMethods(userId, tx);
  if (ways.password || ways.passkeys + ways.identities > 0) return;
  throw new AppError('conflict', {
    message: 'This is your only way to sign in. Set a password or add another way first.',
  });
}
