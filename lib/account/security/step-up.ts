import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { identities, passkeys, twoFactor } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { withHashingLimit } from '@/lib/account/passwords/passwords';
import type { User } from '@/lib/account/sessions/service';
import { assertSecondFactor, CODE_MISSING, twoFactorState } from '@/lib/account/two-factor/service';
import { assertionOptions, redeemAssertion } from '@/lib/account/webauthn/assertion';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { resetAttempts } from '@/lib/limits/service';
import type { StepUpProof } from './contract';
import { type AccountChange, changeAccount } from './notices';

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

const confirmationPurpose = (user: User) => `confirm ${user.id} ${user.sessionId}`;

/** Returns what the browser needs to confirm a change with one of the account's passkeys that are on. */
export async function confirmOptions(user: User) {
  const own = await db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, user.id), isNull(passkeys.disabledAt)));
  return assertionOptions(confirmationPurpose(user), own);
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
    if (await redeemAssertion(passkey, confirmationPurpose(user), user, client, async () => true))
      return passwordHash;
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
      linkedAccounts: sql<number>`(select count(*)::int from ${identities} where ${identities.userId} = ${userId} and ${identities.disabledAt} is null)`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return ways ?? { password: false, passkeys: 0, linkedAccounts: 0 };
}

/** Returns which proofs {@link assertStepUp} takes from an account. */
export async function findFactors(userId: string) {
  const [ways, { enabled }] = await Promise.all([signInMethods(userId), twoFactorState(userId)]);
  return { password: ways.password, code: enabled, passkey: ways.passkeys > 0 };
}

/**
 * Removes or enables one of an account's passkeys or linked accounts, once its owner has proved who they are. An account's
 * last sign-in method stays.
 * @param method the table, and the condition on the row
 * @param change the rows that it changed
 * @throws AppError `not_found`, also for somebody else's; `validation_failed`, `rate_limited`; `conflict` for the last one
 */
export async function changeSignInMethod<Row>(
  user: User,
  proof: StepUpProof,
  client: Client,
  [table, which]: [typeof passkeys | typeof identities, SQL | undefined],
  what: AccountChange,
  change: (tx: Transaction) => Promise<Row[]>,
): Promise<Row> {
  if ((await db().$count(table, which)) === 0) throw new AppError('not_found');
  await assertStepUp(user, proof, client);
  return changeAccount(user, what, async (tx) => {
    const [changed] = await change(tx);
    if (!changed) throw new AppError('not_found');
    const ways = await signInMethods(user.id, tx);
    if (ways.password || ways.passkeys + ways.linkedAccounts > 0) return changed;
    throw new AppError('conflict', {
      message: 'This is your only way to sign in. Set a password or add another way first.',
    });
  });
}
