import { and, eq, isNotNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { identities } from '@/db/schema/security';
import type { StepUpProof } from '@/lib/account/security/contract';
import { changeAccount } from '@/lib/account/security/notices';
import { changeSignInMethod } from '@/lib/account/security/step-up';
import type { User } from '@/lib/account/sessions/service';
import type { Client } from '@/lib/foundation/request-scope';
import type { LinkedAccount, ProviderName } from './contract';
import { type ProviderAccount, providerNames } from './providers';

/** Why a provider could not be used, as the page that one comes back to is told by its address. */
export type SignInProblem = 'unverified' | 'taken' | 'off' | 'disabled' | 'closed' | 'uninvited';

const linkedAt = (userId: string, provider: ProviderName) =>
  and(eq(identities.userId, userId), eq(identities.provider, provider));

/**
 * Links an account at a provider, in the caller's transaction.
 * @returns the linked account's id; null when either side is linked already
 */
export async function insertLinkedAccount(
  tx: Transaction,
  userId: string,
  { provider, id, email }: ProviderAccount,
): Promise<string | null> {
  const [inserted] = await tx
    .insert(identities)
    .values({ id: uuidv7(), userId, provider, providerAccountId: id, email: email ?? '' })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  return inserted?.id ?? null;
}

/**
 * Links an account at a provider to the one that asked for it, and tells the owner by email.
 * @throws AppError `unauthenticated` when the session that asked has ended in the meantime
 */
export async function linkAccount(user: User, account: ProviderAccount): Promise<SignInProblem | undefined> {
  const { provider } = account;
  const change = { notice: `${provider}-connected`, event: 'identity.connected', detail: provider } as const;
  const linked = await changeAccount(user, change, (tx) => insertLinkedAccount(tx, user.id, account));
  return linked === null ? 'taken' : undefined;
}

/** Returns the providers that are set up, each with the address of the account there that's linked. */
export async function listLinkedAccounts(userId: string): Promise<LinkedAccount[]> {
  const linked = await db().select().from(identities).where(eq(identities.userId, userId));
  return providerNames().map((provider) => {
    const account = linked.find((one) => one.provider === provider);
    return { provider, email: account?.email ?? null, disabled: Boolean(account?.disabledAt) };
  });
}

/** Unlinks the account at a provider. Throws like {@link changeSignInMethod}. */
export async function unlinkAccount(
  user: User,
  provider: ProviderName,
  proof: StepUpProof,
  client: Client,
): Promise<void> {
  const own = linkedAt(user.id, provider);
  const change = {
    notice: `${provider}-disconnected`,
    event: 'identity.disconnected',
    detail: provider,
  } as const;
  await changeSignInMethod(user, proof, client, [identities, own], change, (tx) =>
    tx.delete(identities).where(own).returning({ id: identities.id }),
  );
}

/** Turns a linked account back on that a reset or a merge has turned off. Throws like {@link changeSignInMethod}. */
export async function enableLinkedAccount(
  user: User,
  provider: ProviderName,
  proof: StepUpProof,
  client: Client,
): Promise<void> {
  const disabled = and(linkedAt(user.id, provider), isNotNull(identities.disabledAt));
  const change = { notice: `${provider}-enabled`, event: 'identity.enabled', detail: provider } as const;
  await changeSignInMethod(user, proof, client, [identities, disabled], change, (tx) =>
    tx.update(identities).set({ disabledAt: null }).where(disabled).returning({ id: identities.id }),
  );
}
