import { and, eq, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { knownDevices } from '@/db/schema/security';
import { hashToken } from './tokens';

/** Returns the hash that identifies a browser to an account. Two accounts in one browser get different ones. */
export function deviceHashOf(userId: string, device: string): string {
  return hashToken(`${userId} ${device}`);
}

/**
 * Records that an account signs in from this browser. Call it before inserting the session.
 * @returns whether to notify the owner: the account has been signed in to before, but not from this browser
 */
export async function rememberDevice(tx: Transaction, userId: string, hash: string): Promise<boolean> {
  const any = (table: typeof sessions | typeof knownDevices) =>
    sql`exists (select 1 from ${table} where ${table.userId} = ${userId})`;
  const [before] = await tx.execute<{ used: boolean }>(
    sql`select ${any(knownDevices)} or ${any(sessions)} as used`,
  );
  const [device] = await tx
    .insert(knownDevices)
    .values({ userId, hash })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.hash], set: { lastSeenAt: sql`now()` } })
    // Postgres sets xmax on a row that a conflict updated.
    .returning({ inserted: sql<boolean>`${knownDevices}.xmax = 0` });
  return Boolean(before?.used && device?.inserted);
}

/** Forgets one browser of an account, or all of them, so the next sign-in from there sends a notification again. */
export async function deleteDevices(tx: Transaction, userId: string, hash?: string): Promise<void> {
  const one = hash === undefined ? undefined : eq(knownDevices.hash, hash);
  await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), one));
}

/** Deletes browsers whose cookie has expired. */
export async function deleteOldDevices(): Promise<void> {
  await db().delete(knownDevices).where(sql`${knownDevices.lastSeenAt} < now() - interval '400 days'`);
}
