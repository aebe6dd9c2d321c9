import { and, eq, isNotNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { identities } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import type { StepUpProof } from '@/lib/account/security/contract';
import { sendChangeNotice } from '@/lib/account/security/notices';
import { snapshotAccountForSession } from '@/lib/account/security/snapshot';
import { assertSignInMethodLeft, assertStepUp } from '@/lib/account/security/step-up';
import type { User } from '@/lib/account/sessions/service';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import type { IdentitySummary, ProviderName } from './contract';
import { type ProviderAccount, providerNames } from './providers';

/** Why a provider could not be used, as the page that one comes back to is told by its address. */
export type SignInProblem = 'unverified' | 'taken' | 'off' | 'disabled' | 'closed' | 'uninvited';

/**
 * Connects a provider's account, in the caller's transaction.
 * @returns the connection's id; undefined when either side is connected already
 */
export async function insertIdentity(
  tx: Transaction,
  userId: string,
  account: ProviderAccount,
): Promise<string | undefined> {
  const [inserted] = await tx
    .insert(identities)
    .values({
      id: uuidv7(),
      userId,
      provider: account.provider,
      providerAccountId: account.id,
      email: account.email ?? '',
    })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  return inserted?.id;
}

/**
 * Connects a provider's account to the one that asked for it, and tells the owner by email.
 * @throws AppError `unauthenticated` when the session that asked has ended in the meantime
 */
export function connectProviderAccount(
  user: User,
  account: ProviderAccount,
): Promise<SignInProblem | undefined> {
  return db().transaction(async (tx) => {
    const before = await snapshotAccountForSession(tx, user);
    if (!(await insertIdentity(tx, user.id, account))) return 'taken';
    await sendChangeNotice(tx, before, `${account.provider}-connected`);
    const about = { userId: user.id, sessionId: user.sessionId, detail: account.provider };
    await recordAuditEvent('identity.connected', about, tx);
    return undefined;
  });
}

/** The providers that are set up, with the account's own address at each that is connected. */
export async function listIdentities(userId: string): Promise<IdentitySummary[]> {
  const connected = await db().select().from(identities).where(eq(identities.userId, userId));
  return providerNames().map((provider) => {
    const identity = connected.find((one) => one.provider === provider);
    return { provider, email: identity?.email ?? null, disabled: Boolean(identity?.disabledAt) };
  });
}

/**
 * Disconnects a provider and tells the owner by email.
 * @throws AppError `not_found`, `validation_failed`, `rate_limited`; `conflict` when it is the last sign-in method
 */
export async function disconnectProvider(
  user: User,
  provider: ProviderName,
  proof: StepUpProof,
  client: Client,
): Promise<void> {
  const mine = and(eq(identities.userId, user.id), eq(identities.provider, provider));
  if ((await db().$count(identities, mine)) === 0) throw new AppError('not_found');
  await assertStepUp(user, proof, client);
  await db().transaction(async (tx) => {
    const before = await snapshotAccountForSession(tx, user);
    const removed = await tx.delete(identities).where(mine).returning({ id: identities.id });
    if (removed.length === 0) throw new AppError('not_found');
    await assertSignInMethodLeft(tx, user.id);
    await sendChangeNotice(tx, before, `${provider}-disconnected`);
    await recordAuditEvent(
      'identity.disconnected',
      { userId: user.id, sessionId: user.sessionId, detail: provider },
      tx,
    );
  });
}

/**
 * Lets a provider sign in again that a reset or a merge has turned off, and tells the owner by email.
 * @throws AppError `not_found`, `validation_failed`, `rate_limited`
 */
export async function enableIdentity(
  user: User,
  provider: ProviderName,
  proof: StepUpProof,
  client: Client,
): Promise<void> {
  const disabled = and(
    eq(identities.userId, user.id),
    eq(identities.provider, provider),
    isNotNull(identities.disabledAt),
  );
  if ((await db().$count(identities, disabled)) === 0) throw new AppError('not_found');
  await assertStepUp(user, proof, client);
  await db().transaction(async (tx) => {
    const before = await snapshotAccountForSession(tx, user);
    const enabled = await tx
      .update(identities)
      .set({ disabledAt: null })
      .where(disabled)
      .returning({ id: identities.id });
    if (enabled.length === 0) throw new AppError('not_found');
    await sendChangeNotice(tx, before, `${provider}-enabled`);
    await recordAuditEvent(
      'identity.enabled',
      { userId: user.id, sessionId: user.sessionId, detail: provider },
      tx,
    );
  });
}
