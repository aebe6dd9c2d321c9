import { eq, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { identities, passkeys, recoveryCodes, twoFactor } from '@/db/schema/security';
import { lockAccount } from '@/lib/account/passwords/locks';

/** How an account can be signed in to, as JSON of the rows themselves, so that no column is forgotten. */
export interface Snapshot {
  email: string;
  /** When that address was confirmed, as ISO 8601; null when it hadn't been. */
  verified_at: string | null;
  password_hash: string | null;
  two_factor: object | null;
  /** Hashes. A code that's used later is removed from here too. */
  recovery_codes: string[];
  passkeys: object[];
  identities: object[];
}

/** An account before a change: where its notice goes, and what undoing it restores. */
export interface AccountSnapshot {
  userId: string;
  email: string;
  /** Whether the address had been confirmed. Until it has been, the account may be anyone's. */
  verified: boolean;
  snapshot: Snapshot;
}

const rowsOf = (table: typeof passkeys | typeof identities, userId: string) =>
  sql`(select coalesce(jsonb_agg(to_jsonb(kept)), '[]') from ${table} kept where kept.user_id = ${userId})`;

/**
 * Locks an account and reads how it can be signed in to. Call it first in a transaction that's going to change that:
 * those that change the same account wait here for each other, so that its notices are in order.
 * @throws Error when there's no such account
 */
export async function snapshotAccount(tx: Transaction, userId: string): Promise<AccountSnapshot> {
  await lockAccount(tx, userId);
  const [found] = await tx
    .select({
      email: users.email,
      verified: sql<boolean>`${users.verifiedAt} is not null`,
      snapshot: sql<Snapshot>`jsonb_build_object(
        'email', ${users.email},
        'verified_at', ${users.verifiedAt},
        'password_hash', ${users.passwordHash},
        'two_factor', (select to_jsonb(kept) from ${twoFactor} kept where kept.user_id = ${userId}),
        'recovery_codes', (select coalesce(jsonb_agg(kept.hash), '[]') from ${recoveryCodes} kept where kept.user_id = ${userId}),
        'passkeys', ${rowsOf(passkeys, userId)},
        'identities', ${rowsOf(identities, userId)}
      )`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!found) throw new Error('the account is gone');
  return { userId, ...found };
}

/**
 * Removes what was added since, and inserts what was removed. What is in both stays as it is now, but is on or off as it
 * was: a passkey's counter must not go back.
 */
async function restoreRows(
  tx: Transaction,
  userId: string,
  table: typeof passkeys | typeof identities,
  rows: SQL,
) {
  const kept = sql`select * from jsonb_populate_recordset(null::${table}, ${rows})`;
  await tx.execute(
    sql`delete from ${table} where ${table.userId} = ${userId} and ${table.id} not in (select id from (${kept}) kept)`,
  );
  await tx.execute(sql`insert into ${table} ${kept} on conflict do nothing`);
  await tx.execute(
    sql`update ${table} now set disabled_at = kept.disabled_at from (${kept}) kept where now.id = kept.id and now.user_id = ${userId}`,
  );
}

/**
 * Restores the sign-in methods that an account had. The address comes last: it's the one change that has to wait for
 * sign-ins under way, which may hold rows that the others need.
 * @throws a unique violation when another account has the address by now
 */
export async function restoreSnapshot(tx: Transaction, userId: string, snapshot: Snapshot): Promise<void> {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`;
  await restoreRows(tx, userId, passkeys, json(snapshot.passkeys));
  await restoreRows(tx, userId, identities, json(snapshot.identities));
  // An app that is still the same keeps its last time step, so that no code works twice.
  const app = sql`select * from jsonb_populate_recordset(null::${twoFactor}, ${json(snapshot.two_factor ? [snapshot.two_factor] : [])})`;
  await tx.execute(sql`delete from ${twoFactor} where ${twoFactor.userId} = ${userId}
    and ${twoFactor.sealedSecret} not in (select sealed_secret from (${app}) kept)`);
  await tx.execute(
    sql`insert into ${twoFactor} ${app} on conflict (user_id) do update set confirmed_at = excluded.confirmed_at`,
  );
  const codes = sql`select jsonb_array_elements_text(${json(snapshot.recovery_codes)})`;
  await tx.execute(
    sql`delete from ${recoveryCodes} where ${recoveryCodes.userId} = ${userId} and ${recoveryCodes.hash} not in (${codes})`,
  );
  await tx.execute(
    sql`insert into ${recoveryCodes} (hash, user_id) select hash, ${userId}::uuid from (${codes}) kept(hash) on conflict do nothing`,
  );
  // The link of the notice has just confirmed a former address again. An app that its owner had added since it was first
  // confirmed stays as good as it was: a reset must not remove it for being older than the address.
  await tx.execute(sql`update ${twoFactor} set confirmed_at = now() from ${users}
    where ${twoFactor.userId} = ${userId} and ${users.id} = ${userId} and ${users.email} <> ${snapshot.email}
      and ${twoFactor.confirmedAt} >= ${snapshot.verified_at}::timestamptz`);
  await tx
    .update(users)
    .set({
      email: snapshot.email,
      passwordHash: snapshot.password_hash,
      verifiedAt: sql`case when ${users.email} = ${snapshot.email} then ${users.verifiedAt} else now() end`,
    })
    .where(eq(users.id, userId));
}
