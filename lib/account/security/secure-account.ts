import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { identities, passkeys, recoveryCodes, twoFactor } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { invalidateLinks } from '@/lib/account/passwords/links';
import { endAllSessions } from '@/lib/account/sessions/service';

/** Whoever added an app before the account's current address was confirmed may not be the owner of that address. */
const addedBeforeAddress = sql`coalesce(${twoFactor.confirmedAt} < (select ${users.verifiedAt} from ${users} where ${users.id} = ${twoFactor.userId}), true)`;

/** Whether the account has an authenticator app that {@link secureAccount} would keep. */
export async function hasTrustedAuthenticator(tx: Transaction, userId: string): Promise<boolean> {
  const kept = and(eq(twoFactor.userId, userId), sql`not ${addedBeforeAddress}`);
  return (await tx.$count(twoFactor, kept)) > 0;
}

/**
 * Leaves an account to whoever has just proved that its address is theirs. Ends every session, voids every link, and
 * turns off every passkey and provider until the owner turns it back on from inside. An authenticator app stays on,
 * unless it was added before the current address was confirmed: that one is removed with its recovery codes.
 * Call it under the account's lock, with `verifiedAt` already set; the caller takes care of the password.
 * @param keep the connected provider's id that proved the address, where it was one
 */
export async function secureAccount(tx: Transaction, userId: string, keep?: string): Promise<void> {
  await endAllSessions(tx, userId);
  await invalidateLinks(tx, userId);
  const off = { disabledAt: sql`now()` };
  const keys = await tx
    .update(passkeys)
    .set(off)
    .where(and(eq(passkeys.userId, userId), isNull(passkeys.disabledAt)))
    .returning({ id: passkeys.id });
  const providers = await tx
    .update(identities)
    .set(off)
    .where(
      and(
        eq(identities.userId, userId),
        isNull(identities.disabledAt),
        keep ? ne(identities.id, keep) : undefined,
      ),
    )
    .returning({ id: identities.id });
  if (keys.length + providers.length > 0) await recordAuditEvent('ways-in.disabled', { userId }, tx);
  const [app] = await tx
    .delete(twoFactor)
    .where(and(eq(twoFactor.userId, userId), addedBeforeAddress))
    .returning({ confirmedAt: twoFactor.confirmedAt });
  if (!app) return;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  if (app.confirmedAt) await recordAuditEvent('two-factor.removed', { userId }, tx);
}
