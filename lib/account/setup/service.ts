import { createHash, timingSafeEqual } from 'node:crypto';
import { and, isNull, lte, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { isDatabaseUnavailable } from '@/db/errors';
import { users } from '@/db/schema/accounts';
import { setup } from '@/db/schema/setup';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { isSignupOpen, redeemInvitationOf } from '@/lib/account/invitations/service';
import { assertUncommonPassword } from '@/lib/account/passwords/common-passwords';
import { hashPassword, matchesHash } from '@/lib/account/passwords/passwords';
import { createSession } from '@/lib/account/sessions/create-session';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import type { Client } from '@/lib/foundation/request-scope';
import { plainSetupCode } from '@/lib/foundation/setup-code';
import { perProcess } from '@/lib/foundation/shared/per-process';
import type * as contract from './contract';

/** How many wrong codes, whoever sends them, close setup for an hour. */
const MAX_TRIES = 10;

const isOpen = isNull(setup.endedAt);

const known = perProcess('setup', () => ({ hasEnded: false }));

/**
 * Returns whether the site has never had an account. Setup never opens again, so a process that has seen its end
 * never asks the database again.
 */
export async function isSetupOpen(): Promise<boolean> {
  if (known.hasEnded) return false;
  const open = await db().$count(setup, isOpen);
  known.hasEnded = open === 0;
  return open > 0;
}

/**
 * Returns whether pages lead visitors to `/setup`: where anyone can sign up, the first account needs no code. Pages for
 * visitors work without the database, so they don't while it's away.
 */
export async function offersSetup(): Promise<boolean> {
  if (isSignupOpen()) return false;
  try {
    return await isSetupOpen();
  } catch (error) {
    if (isDatabaseUnavailable(error)) return false;
    throw error;
  }
}

/** Returns where the operator finds the code: in the settings, or in the log of `npm run db:migrate`. */
export const setupCodeSource = (): 'settings' | 'log' =>
  env().SETUP_CODE === undefined ? 'log' : 'settings';

/** Returns why no code is checked now: setup has ended, or it's closed. */
async function refusal(): Promise<AppError> {
  const [state] = await db()
    .select({ wait: sql<number>`ceil(extract(epoch from ${setup.closedUntil} - now()))::int` })
    .from(setup)
    .where(isOpen);
  if (!state) return new AppError('not_found');
  log.warn({ event: 'setup.closed' }, 'too many wrong setup codes');
  const retryAfter = Math.max(1, state.wait);
  const minutes = Math.ceil(retryAfter / 60);
  const message = `Too many wrong codes. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
  return new AppError('rate_limited', { message, fields: { code: message }, retryAfter });
}

/**
 * Counts a try before its code is checked, so that no burst of them checks more than ten.
 * @returns the hash of the printed code, if there's one
 * @throws AppError `not_found`, `rate_limited`
 */
async function countTry(): Promise<string | null> {
  const tries = sql`case when ${setup.closedUntil} <= now() then 1 else ${setup.tries} + 1 end`;
  const [counted] = await db()
    .update(setup)
    .set({
      tries,
      closedUntil: sql`case when ${tries} >= ${MAX_TRIES} then now() + interval '1 hour' end`,
    })
    .where(and(isOpen, or(isNull(setup.closedUntil), lte(setup.closedUntil, sql`now()`))))
    .returning({ codeHash: setup.codeHash });
  if (!counted) throw await refusal();
  return counted.codeHash;
}

/** Takes back the count of a try whose code was right, or wasn't checked. */
async function uncountTry(): Promise<void> {
  await db()
    .update(setup)
    .set({ tries: sql`greatest(${setup.tries} - 1, 0)`, closedUntil: null })
    .where(isOpen);
}

const digest = (text: string) => createHash('sha256').update(text).digest();

async function isRight(typed: string, codeHash: string | null, client: string): Promise<boolean> {
  const code = plainSetupCode(typed);
  const { SETUP_CODE } = env();
  if (SETUP_CODE !== undefined) return timingSafeEqual(digest(code), digest(SETUP_CODE));
  return matchesHash(codeHash, code, client);
}

/**
 * Checks the setup code. Only wrong ones count.
 * @throws AppError `validation_failed` with `fields.code`; `rate_limited` for an hour after ten wrong codes, also for the
 * right one; `not_found` once there has been an account; `unavailable`
 */
export async function checkSetupCode(typed: string, client: Client): Promise<void> {
  const codeHash = await countTry();
  let right = true;
  try {
    right = await isRight(typed, codeHash, client.address);
  } finally {
    // A check that failed says nothing about the code.
    if (right) await uncountTry();
  }
  if (right) return;
  log.warn({ event: 'setup.code_refused' }, 'wrong setup code');
  throw new AppError('validation_failed', {
    fields: { code: 'That isn’t the setup code. Check it and try again.' },
  });
}

/**
 * Makes the first account, verified, and signs it in. The code shows that it's the operator, whose email may not work
 * yet. Of two at once, one makes it.
 * @throws AppError like {@link checkSetupCode}; `validation_failed` also for a common password
 */
export async function setUp(
  input: z.output<typeof contract.setUp.body>,
  client: Client,
): Promise<SessionTokens> {
  const { code, password, ...person } = input;
  await checkSetupCode(code, client);
  await assertUncommonPassword(password, person.email, 'password');
  const passwordHash = await hashPassword(password, client.address);
  const tokens = await db().transaction(async (tx) => {
    // First, because whoever signs up with the invitation locks it before the setup.
    await redeemInvitationOf(tx, person.email);
    const ended = await tx
      .update(setup)
      .set({ endedAt: sql`now()`, codeHash: null })
      .where(isOpen)
      .returning({ id: setup.id });
    if (ended.length === 0) throw new AppError('not_found');
    const id = uuidv7();
    await tx.insert(users).values({ id, passwordHash, verifiedAt: sql`now()`, ...person });
    await recordAuditEvent('account.registered', { userId: id, detail: 'setup' }, tx);
    return createSession(tx, { id, verified: true }, client, 'password');
  });
  known.hasEnded = true;
  return tokens;
}
