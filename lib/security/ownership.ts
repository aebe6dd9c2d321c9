import { eq, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { identities, passkeys } from '@/db/schema/security';
import { lockAccount } from '@/lib/accounts/locks';
import { tryHashing } from '@/lib/accounts/passwords';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { forgiveTries } from '@/lib/limits/service';
import type { User } from '@/lib/sessions/service';

function refuse(message: string): AppError {
  return new AppError('validation_failed', { message, fields: { currentPassword: message } });
}

async function ownerOf(user: User) {
  const [owner] = await db()
    .select({
      passwordHash: users.passwordHash,
      justSignedIn: sql<boolean>`${sessions.createdAt} > now() - interval '10 minutes'`,
    })
    .from(users)
    .innerJoin(sessions, eq(sessions.id, user.sessionId))
    .where(eq(users.id, user.id));
  return owner;
}

async function comparePassword(
  user: User,
  passwordHash: string | null | undefined,
  password: string,
  client: Client,
): Promise<void> {
  const attempt = { subject: user.id, client: client.address };
  const same = await tryHashing('password', attempt, ({ matches }) =>
    matches(passwordHash, password.normalize('NFC')),
  );
  if (!same) {
    await note('password.refused', { userId: user.id, sessionId: user.sessionId });
    throw refuse('This is not your current password.');
  }
  await forgiveTries('password', attempt);
}

/**
 * Makes sure that whoever uses the session also knows the password.
 * @returns the hash that was compared with
 * @throws AppError `validation_failed` with `fields.currentPassword`, `rate_limited` or `unavailable`
 */
export async function assertPassword(user: User, password: string, client: Client): Promise<string> {
  const passwordHash = (await ownerOf(user))?.passwordHash;
  await comparePassword(user, passwordHash, password, client);
  return passwordHash ?? '';
}

/**
 * Makes sure that it is the owner who uses the session; a device left open is not enough for what could shut them
 * out. It takes the password, or for an account without one a sign-in of the last ten minutes.
 * @throws AppError `validation_failed` with `fields.currentPassword`, `rate_limited` or `unavailable`
 */
export async function assertOwner(user: User, password: string | undefined, client: Client): Promise<void> {
  const owner = await ownerOf(user);
  if (owner && owner.passwordHash === null) {
    if (owner.justSignedIn) return;
    throw refuse(
      'For this you have to have signed in within the last ten minutes. Please log out and in again.',
    );
  }
  if (!password) throw refuse('Please enter your current password.');
  await comparePassword(user, owner?.passwordHash, password, client);
}

/** The ways to sign in to the account; passkeys and providers that are turned off don't count. */
export async function waysIn(userId: string, tx: Transaction | ReturnType<typeof db> = db()) {
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

/**
 * Keeps an account from losing its last way in. Call it in the transaction that removes one, after the removal; those
 * that remove others at the same time wait here for each other.
 * @throws AppError `conflict`
 */
export async function assertWayLeft(tx: Transaction, userId: string): Promise<void> {
  await lockAccount(tx, userId);
  const ways = await waysIn(userId, tx);
  if (ways.password || ways.passkeys + ways.identities > 0) return;
  throw new AppError('conflict', {
    message: 'This is the only way into your account. Please set a password or add another way first.',
  });
}
