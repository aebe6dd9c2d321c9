import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { knownDevices, twoFactor } from '@/db/schema/security';
import type { EventKind } from '@/lib/account/activity/event-kinds';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { restartWait } from '@/lib/account/deletion/pending-deletion';
import {
  createInvitation,
  listInvitations,
  redeemInvitationOf,
  SIGNUP_CLOSED,
  signupMode,
} from '@/lib/account/invitations/service';
import { invalidateLinks } from '@/lib/account/passwords/links';
import { lockAccount } from '@/lib/account/passwords/locks';
import { endAllSessions } from '@/lib/account/sessions/service';
import { disableTwoFactor } from '@/lib/account/two-factor/service';
import { releaseHeld } from '@/lib/billing/plans/held-videos';
import { effectivePlan } from '@/lib/billing/plans/service';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { invitationMail } from '@/lib/messaging/mails/account-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { closest } from './closest';

/** Returns the error about an address that isn't known, with the most similar one that is. */
function unknownAddressError(what: string, email: string, known: string[]): AppError {
  const similar = closest(email, known);
  const question = similar ? ` Did you mean ${similar}?` : '';
  return new AppError('not_found', { message: `${what} ${email}.${question}` });
}

/** @throws AppError `not_found`, with a suggestion */
async function findAccountId(email: string): Promise<string> {
  const [found] = await db().select({ id: users.id }).from(users).where(eq(users.email, email));
  if (found) return found.id;
  const known = await db().select({ email: users.email }).from(users);
  throw unknownAddressError(
    'There’s no account for',
    email,
    known.map((user) => user.email),
  );
}

/** Returns every account with its usage, oldest first. */
export async function listAccounts() {
  const ofUser = sql`${entries.userId} = ${users.id} and ${entries.trashedAt} is null`;
  const lastSeen = (table: typeof sessions | typeof knownDevices) =>
    sql`(select max(${table.lastSeenAt}) from ${table} where ${table.userId} = ${users.id})`;
  return db()
    .select({
      email: users.email,
      name: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`,
      plan: effectivePlan(),
      grantedPlan: users.grantedPlan,
      videos: sql<number>`(select count(*)::int from ${entries} where ${ofUser})`,
      bytes: sql<number>`(select coalesce(sum(${entries.bytes}), 0)::float8 from ${entries} where ${ofUser})`,
      seconds: sql<number>`(select coalesce(sum(${entries.durationMs}), 0)::float8 / 1000 from ${entries} where ${ofUser})`,
      createdAt: users.createdAt,
      // Sessions are deleted a month after their last use, and devices a year later.
      lastSeenAt: sql`greatest(${lastSeen(sessions)}, ${lastSeen(knownDevices)})`.mapWith(
        sessions.lastSeenAt,
      ),
      twoFactor: sql<boolean>`${twoFactor.confirmedAt} is not null`,
      verified: sql<boolean>`${users.verifiedAt} is not null`,
      disabledAt: users.disabledAt,
      /** When the account is deleted if its owner asked for that, and since when that's under way. */
      erasesAt: accountDeletions.erasesAt,
      erasureStartedAt: accountDeletions.startedAt,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .leftJoin(twoFactor, eq(twoFactor.userId, users.id))
    .orderBy(users.createdAt, users.id);
}

/** Returns the invitations that still work to addresses without an account, newest first. */
export async function listOpenInvitations() {
  const [open, known] = await Promise.all([
    listInvitations(),
    db().select({ email: users.email }).from(users),
  ]);
  const taken = new Set(known.map(({ email }) => email));
  return open.filter(({ email }) => !taken.has(email));
}

/**
 * Emails an invitation to sign up.
 * @returns another link for the same invitation, to hand over some other way; whoever uses it still verifies the address
 * @throws AppError `conflict` while sign-up is closed, and for the address of an account
 */
export async function invite(email: string): Promise<string> {
  if (signupMode() === 'closed') {
    throw new AppError('conflict', { message: `${SIGNUP_CLOSED} Set SIGNUP=invite first.` });
  }
  return db().transaction(async (tx) => {
    if ((await tx.$count(users, eq(users.email, email))) > 0) {
      throw new AppError('conflict', { message: `${email} already has an account.` });
    }
    const { mailLink, shownLink } = await createInvitation(tx, email);
    await enqueueMail(tx, await invitationMail({ email }, mailLink));
    await recordAuditEvent('invitation.created', {}, tx);
    return shownLink;
  });
}

/** Withdraws an invitation. @throws AppError `not_found`, with a suggestion */
export async function withdrawInvitation(email: string): Promise<void> {
  const known = (await listInvitations()).map((invitation) => invitation.email);
  await db().transaction(async (tx) => {
    if (!(await redeemInvitationOf(tx, email))) {
      throw unknownAddressError('There’s no open invitation for', email, known);
    }
    await recordAuditEvent('invitation.withdrawn', {}, tx);
  });
}

/**
 * Turns an account off: nobody can sign in to it, and it gets no email. Its journal stays, and jobs go on.
 * @returns whether it was on
 * @throws AppError `not_found`
 */
export async function disableAccount(email: string): Promise<boolean> {
  const userId = await findAccountId(email);
  return db().transaction(async (tx) => {
    const owner = await lockAccount(tx, userId);
    if (owner?.disabledAt) return false;
    await tx.update(users).set({ disabledAt: sql`now()` }).where(eq(users.id, userId));
    await endAllSessions(tx, userId);
    await invalidateLinks(tx, userId);
    await recordAuditEvent('account.disabled', { userId }, tx);
    return true;
  });
}

/**
 * Turns an account back on. Its owner signs in as before, and has at least seven days to keep it if they had asked to delete
 * it.
 * @returns whether it was off
 * @throws AppError `not_found`, `conflict` while it's being erased
 */
export async function enableAccount(email: string): Promise<boolean> {
  const userId = await findAccountId(email);
  return db().transaction(async (tx) => {
    const owner = await lockAccount(tx, userId);
    if (!owner?.disabledAt) return false;
    const isErasing = and(eq(accountDeletions.userId, userId), isNotNull(accountDeletions.startedAt));
    if ((await tx.$count(accountDeletions, isErasing)) > 0) {
      throw new AppError('conflict', { message: `The account ${email} is being deleted.` });
    }
    await tx.update(users).set({ disabledAt: null }).where(eq(users.id, userId));
    await restartWait(tx, owner);
    await recordAuditEvent('account.enabled', { userId }, tx);
    return true;
  });
}

/**
 * Turns off two-factor login for somebody who lost their authenticator app and recovery codes, and emails them.
 * @returns whether it was on
 * @throws AppError `not_found`
 */
export async function resetTwoFactor(email: string): Promise<boolean> {
  return disableTwoFactor(await findAccountId(email), 'operator');
}

/**
 * Gives an account a plan, whatever it pays for, and starts the held videos that fit it.
 * @param plan null takes back the plan that was given
 * @returns whether that changed anything
 * @throws AppError `not_found`
 */
export async function grantPlan(email: string, plan: PlanType | null): Promise<boolean> {
  const userId = await findAccountId(email);
  const kind: EventKind = plan ? 'plan.granted' : 'plan.grant-removed';
  return db().transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ grantedPlan: plan })
      .where(sql`${users.id} = ${userId} and ${users.grantedPlan} is distinct from ${plan}`)
      .returning({ id: users.id });
    if (changed.length === 0) return false;
    await releaseHeld(tx, userId);
    await recordAuditEvent(kind, { userId, detail: plan ?? undefined }, tx);
    return true;
  });
}
