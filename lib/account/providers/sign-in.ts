import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { identities, twoFactor } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { redeemInvitationOf, signupMode } from '@/lib/account/invitations/service';
import { lockAccount } from '@/lib/account/passwords/locks';
import { sendChangeNotice } from '@/lib/account/security/notices';
import { hasTrustedAuthenticator, secureAccount } from '@/lib/account/security/secure-account';
import { snapshotAccount } from '@/lib/account/security/snapshot';
import { createSession } from '@/lib/account/sessions/create-session';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { assertSecondFactor } from '@/lib/account/two-factor/service';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt, resetAttempts } from '@/lib/limits/service';
import type { ProviderAccount } from './providers';
import { insertLinkedAccount, type SignInProblem } from './service';

type Owner = typeof users.$inferSelect;

/** A sign-in that is done, that waits for a code, or that could not be. */
export type SignInResult = { tokens: SessionTokens } | { codeFor: string } | { problem: SignInProblem };

const sameAccount = ({ provider, id }: ProviderAccount) =>
  and(eq(identities.provider, provider), eq(identities.providerAccountId, id));

/** The account that a provider's account is connected to, locked, and whether it may sign in there. */
async function findConnected(tx: Transaction, account: ProviderAccount) {
  const [known] = await tx.select({ userId: identities.userId }).from(identities).where(sameAccount(account));
  const owner = known && (await lockAccount(tx, known.userId));
  if (!owner) return undefined;
  // Read again, because a reset may have turned it off while this waited for the lock.
  const [connected] = await tx
    .select({ disabledAt: identities.disabledAt })
    .from(identities)
    .where(and(sameAccount(account), eq(identities.userId, owner.id)));
  return connected && { owner, enabled: connected.disabledAt === null };
}

/** Returns whether a new account may have this address, which its provider has verified. Uses up its invitation. */
async function mayCreateAccount(tx: Transaction, email: string): Promise<boolean> {
  const mode = signupMode();
  return mode === 'open' || (mode === 'invite' && (await redeemInvitationOf(tx, email)));
}

/** The account with the provider's verified address, locked; created if there is none and the site allows it. */
async function findByAddress(
  tx: Transaction,
  { email, firstName, lastName }: ProviderAccount,
): Promise<{ owner: Owner; isNew: boolean } | { problem: SignInProblem }> {
  if (!email) return { problem: 'unverified' };
  const sameAddress = eq(users.email, email);
  // Asked in this order, since another tab may be using up the same invitation.
  if (!(await mayCreateAccount(tx, email)) && (await tx.$count(users, sameAddress)) === 0) {
    return { problem: signupMode() === 'closed' ? 'closed' : 'uninvited' };
  }
  const id = uuidv7();
  await tx
    .insert(users)
    .values({ id, email, firstName, lastName, verifiedAt: sql`now()` })
    .onConflictDoNothing({ target: users.email });
  const [owner] = await tx.select().from(users).where(sameAddress).for('no key update');
  if (!owner) throw new Error('the account is gone');
  return { owner, isNew: owner.id === id };
}

/**
 * Connects a provider to an account that was there before, because both have the same verified address. Until now
 * anyone may have had the account: a stranger who opened it with an address that isn't theirs and waited for its
 * owner (the "classic federated merge" of pre-hijacking, Sudhodanan and Paverd 2022), or one who has got in since.
 * So the provider becomes the only sign-in method: the password is removed, and every other method is turned off.
 */
async function mergeIntoAccount(
  tx: Transaction,
  owner: Owner,
  account: ProviderAccount,
): Promise<SignInProblem | undefined> {
  const before = await snapshotAccount(tx, owner.id);
  // Undoing the merge mustn't bring back a password of someone who never showed that the address is theirs.
  if (!before.verified) before.snapshot.password_hash = null;
  const linkedId = await insertLinkedAccount(tx, owner.id, account);
  if (!linkedId) return 'taken';
  const { firstName, lastName } = account;
  // What a stranger said about themselves is not the owner's either.
  const unverified = { verifiedAt: sql`now()`, gender: null, dateOfBirth: null, firstName, lastName };
  await tx
    .update(users)
    .set({ passwordHash: null, ...(owner.verifiedAt ? {} : unverified) })
    .where(eq(users.id, owner.id));
  await secureAccount(tx, owner.id, linkedId);
  if (owner.passwordHash) await recordAuditEvent('password.revoked', { userId: owner.id }, tx);
  await recordAuditEvent('identity.connected', { userId: owner.id, detail: account.provider }, tx);
  await sendChangeNotice(tx, before, `${account.provider}-merged`);
  return undefined;
}

/** Connects a provider to the account with its address. */
async function connectByAddress(
  tx: Transaction,
  { owner, isNew }: { owner: Owner; isNew: boolean },
  account: ProviderAccount,
): Promise<SignInProblem | undefined> {
  // Another tab may have been here first, while this one waited for the lock.
  const [same] = await tx.select().from(identities).where(sameAccount(account));
  if (same) return same.userId === owner.id && !same.disabledAt ? undefined : 'taken';
  if (!isNew) return mergeIntoAccount(tx, owner, account);
  await insertLinkedAccount(tx, owner.id, account);
  await recordAuditEvent('account.registered', { userId: owner.id, detail: account.provider }, tx);
  return undefined;
}

/**
 * Signs in whoever a provider names: the account that is connected, else the one with the same verified address, else
 * a new one if the site allows it. Where the account has an authenticator app, nothing changes until its code is given.
 * @throws AppError `rate_limited`
 */
export async function signInByProvider(account: ProviderAccount, client: Client): Promise<SignInResult> {
  const attempt = { subject: account.provider, client: client.address };
  await countAttempt('provider', attempt);
  const outcome = await db().transaction(async (tx): Promise<SignInResult & { userId?: string }> => {
    const known = await findConnected(tx, account);
    if (known && !known.enabled) return { problem: 'off', userId: known.owner.id };
    const found = known ?? (await findByAddress(tx, account));
    if ('problem' in found) return found;
    const { owner } = found;
    if (owner.disabledAt) return { problem: 'disabled', userId: owner.id };
    const app = and(eq(twoFactor.userId, owner.id), sql`${twoFactor.confirmedAt} is not null`);
    const asksForCode = known
      ? (await tx.$count(twoFactor, app)) > 0
      : await hasTrustedAuthenticator(tx, owner.id);
    if (asksForCode) return { codeFor: owner.id };
    const problem = 'isNew' in found ? await connectByAddress(tx, found, account) : undefined;
    if (problem) return { problem };
    const verified = { id: owner.id, verified: true };
    return {
      tokens: await createSession(tx, verified, client, account.provider, { tellOwner: Boolean(known) }),
    };
  });
  if (!('problem' in outcome)) {
    await resetAttempts('provider', attempt);
    return outcome;
  }
  await recordAuditEvent('identity.refused', { userId: outcome.userId, detail: account.provider });
  return { problem: outcome.problem };
}

/**
 * Finishes a sign-in by a provider that waits for its code.
 * @throws AppError `validation_failed` with `fields.code`, `rate_limited`; `unauthenticated` when the provider was
 * disconnected or turned off, or the account's address was changed, in the meantime
 */
export async function finishSignInWithCode(
  { userId, account }: { userId: string; account: ProviderAccount },
  code: string,
  client: Client,
): Promise<SessionTokens> {
  await assertSecondFactor(userId, code, client);
  return db().transaction(async (tx) => {
    const owner = await lockAccount(tx, userId);
    const [known] = await tx.select().from(identities).where(sameAccount(account));
    const isOn = known && known.userId === userId && !known.disabledAt;
    const mayMerge = !known && owner?.verifiedAt && owner.email === account.email;
    if (!isOn && !(mayMerge && !(await mergeIntoAccount(tx, owner, account))))
      throw new AppError('unauthenticated');
    return createSession(tx, { id: userId, verified: true }, client, account.provider, {
      tellOwner: Boolean(isOn),
    });
  });
}
