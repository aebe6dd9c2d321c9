import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import { identities, twoFactor } from '@/db/schema/security';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { countTry } from '@/lib/limits/service';
import type { Proof } from '@/lib/security/contract';
import { sendChangeNotice } from '@/lib/security/notices';
import { assertOwner, assertWayLeft } from '@/lib/security/ownership';
import { stateBefore } from '@/lib/security/snapshot';
import { assertSecondFactor } from '@/lib/security/two-factor';
import { endAllSessions, type SessionTokens, type User } from '@/lib/sessions/service';
import { createSession } from '@/lib/sessions/start';
import type { IdentitySummary, ProviderName } from './contract';
import { type ProviderAccount, providerNames } from './providers';

type Owner = typeof users.$inferSelect;

/** Why a provider could not be used, as the page that one comes back to is told by its address. */
export type Problem = 'unverified' | 'taken';

/** A sign-in that is done, that waits for a code, or that could not be. */
export type Outcome = { tokens: SessionTokens } | { codeFor: string } | { problem: Problem };

async function insertIdentity(tx: Transaction, userId: string, account: ProviderAccount): Promise<boolean> {
  const inserted = await tx
    .insert(identities)
    .values({
      ...{ id: uuidv7(), userId, provider: account.provider },
      ...{ providerAccountId: account.id, email: account.email ?? '' },
    })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  return inserted.length > 0;
}

/**
 * Takes an account away from whoever may have opened it with an address that is not theirs: nobody has shown yet that
 * the address is theirs, and the provider's word is the first. The password is void, so that it does not lie in wait
 * for what the owner will keep here (the "classic federated merge" of pre-hijacking, Sudhodanan and Paverd 2022).
 */
async function takeOver(
  tx: Transaction,
  owner: Owner,
  { firstName, lastName }: ProviderAccount,
): Promise<void> {
  await tx
    .update(users)
    .set({
      ...{ passwordHash: null, verifiedAt: sql`now()`, gender: null, dateOfBirth: null },
      ...{ firstName, lastName },
    })
    .where(eq(users.id, owner.id));
  await endAllSessions(tx, owner.id);
  await tx.delete(mailLinks).where(eq(mailLinks.userId, owner.id));
  await note('password.revoked', { userId: owner.id }, tx);
}

/** The account that the provider's verified address belongs to, opened if there is none, and connected from now on. */
async function connectByAddress(tx: Transaction, account: ProviderAccount): Promise<Owner | Problem> {
  const { email, firstName, lastName } = account;
  if (!email) return 'unverified';
  const id = uuidv7();
  await tx
    .insert(users)
    .values({ id, email, firstName, lastName, verifiedAt: sql`now()` })
    .onConflictDoNothing({ target: users.email });
  const [owner] = await tx.select().from(users).where(eq(users.email, email)).for('no key update');
  if (!owner) throw new Error('the account is gone');
  if (!owner.verifiedAt) await takeOver(tx, owner, account);
  // Only now: undoing the connection must not bring a stranger's password back.
  const before = await stateBefore(tx, owner.id);
  if (!(await insertIdentity(tx, owner.id, account))) {
    // Another tab may have been here first, while this one waited for the row.
    const [same] = await tx
      .select({ userId: identities.userId })
      .from(identities)
      .where(and(eq(identities.provider, account.provider), eq(identities.providerAccountId, account.id)));
    return same?.userId === owner.id ? owner : 'taken';
  }
  await note(
    owner.id === id ? 'account.registered' : 'identity.connected',
    { userId: owner.id, detail: account.provider },
    tx,
  );
  if (owner.id !== id) await sendChangeNotice(tx, before, `${account.provider}-connected`);
  return owner;
}

/**
 * Signs in whoever a provider names: the account that is connected, else the one with the same verified address, else
 * a new one. Where the account has an authenticator app, its code is still to be given.
 * @throws AppError `rate_limited`
 */
export async function signInByProvider(account: ProviderAccount, client: Client): Promise<Outcome> {
  await countTry('provider', { subject: account.provider, client: client.address });
  const outcome = await db().transaction(async (tx): Promise<Outcome> => {
    const [known] = await tx
      .select({ owner: users })
      .from(identities)
      .innerJoin(users, eq(users.id, identities.userId))
      .where(and(eq(identities.provider, account.provider), eq(identities.providerAccountId, account.id)))
      // Whoever disconnects it meanwhile waits, and then ends the session that starts here.
      .for('key share', { of: identities });
    const owner = known?.owner ?? (await connectByAddress(tx, account));
    if (typeof owner === 'string') return { problem: owner };
    const [app] = await tx.select().from(twoFactor).where(eq(twoFactor.userId, owner.id));
    if (app?.confirmedAt) return { codeFor: owner.id };
    const verified = { id: owner.id, verified: true };
    return { tokens: await createSession(tx, verified, client, account.provider) };
  });
  if ('problem' in outcome) await note('identity.refused', { detail: account.provider });
  return outcome;
}

/**
 * Finishes a sign-in by a provider that waits for its code.
 * @throws AppError `validation_failed` with `fields.code`, `rate_limited`; `unauthenticated` when the provider was
 * disconnected meanwhile
 */
export async function finishWithCode(
  { userId, provider }: { userId: string; provider: ProviderName },
  code: string,
  client: Client,
): Promise<SessionTokens> {
  await assertSecondFactor(userId, code, client);
  return db().transaction(async (tx) => {
    const [connected] = await tx
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
      .for('share');
    if (!connected) throw new AppError('unauthenticated');
    return createSession(tx, { id: userId, verified: true }, client, provider);
  });
}

/** Connects a provider's account to the one that asked for it, and tells the owner by email. */
export function connectTo(user: User, account: ProviderAccount): Promise<Problem | undefined> {
  return db().transaction(async (tx) => {
    const before = await stateBefore(tx, user.id);
    if (!(await insertIdentity(tx, user.id, account))) return 'taken';
    await sendChangeNotice(tx, before, `${account.provider}-connected`);
    const about = { userId: user.id, sessionId: user.sessionId, detail: account.provider };
    await note('identity.connected', about, tx);
    return undefined;
  });
}

/** The providers that are set up, with the account's own address at each that is connected. */
export async function listIdentities(userId: string): Promise<IdentitySummary[]> {
  const connected = await db().select().from(identities).where(eq(identities.userId, userId));
  return providerNames().map((provider) => ({
    provider,
    email: connected.find((one) => one.provider === provider)?.email ?? null,
  }));
}

/**
 * Disconnects a provider and tells the owner by email.
 * @throws AppError `not_found`, `validation_failed`, `rate_limited`; `conflict` when it is the last way in
 */
export async function disconnect(
  user: User,
  provider: ProviderName,
  proof: Proof,
  client: Client,
): Promise<void> {
  const mine = and(eq(identities.userId, user.id), eq(identities.provider, provider));
  if ((await db().$count(identities, mine)) === 0) throw new AppError('not_found');
  await assertOwner(user, proof, client);
  await db().transaction(async (tx) => {
    const before = await stateBefore(tx, user.id);
    const removed = await tx.delete(identities).where(mine).returning({ id: identities.id });
    if (removed.length === 0) throw new AppError('not_found');
    await assertWayLeft(tx, user.id);
    await sendChangeNotice(tx, before, `${provider}-disconnected`);
    await note('identity.disconnected', { userId: user.id, sessionId: user.sessionId, detail: provider }, tx);
  });
}
