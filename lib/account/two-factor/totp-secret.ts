import { and, asc, eq, gt } from 'drizzle-orm';
import { db } from '@/db/client';
import { twoFactor } from '@/db/schema/security';
import { decrypt, encrypt } from '@/lib/foundation/encryption';
import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';

const PURPOSE = 'daylight two-factor';
const HUNDRED_YEARS = 100 * 365 * 24 * 3600;

/** Encrypts an authenticator app's shared secret (base32) the way the database keeps it. */
export function encryptTotpSecret(base32: string): Promise<string> {
  return encrypt({ key: base32 }, { purpose: PURPOSE, seconds: HUNDRED_YEARS });
}

/** Returns the shared secret in base32, or null when no listed `AUTH_SECRET` decrypts it. */
export async function decryptTotpSecret(sealed: string): Promise<{ base32: string; newest: boolean } | null> {
  const opened = await decrypt(sealed, { purpose: PURPOSE });
  if (typeof opened?.claims.key !== 'string') return null;
  return { base32: opened.claims.key, newest: opened.newest };
}

const BATCH = 500;

/**
 * Encrypts again, with the newest `AUTH_SECRET`, every shared secret that an older one encrypted, so that the older one
 * can be removed from the list.
 * @returns how many it changed, and how many no listed secret decrypts
 */
export async function reencryptTotpSecrets(): Promise<{ changed: number; unreadable: number }> {
  const result = { changed: 0, unreadable: 0 };
  for (let after: string | undefined; ; ) {
    const rows = await db()
      .select({ userId: twoFactor.userId, sealed: twoFactor.sealedSecret })
      .from(twoFactor)
      .where(after === undefined ? undefined : gt(twoFactor.userId, after))
      .orderBy(asc(twoFactor.userId))
      .limit(BATCH);
    for (const { userId, sealed } of rows) {
      const opened = await decryptTotpSecret(sealed);
      if (!opened) result.unreadable += 1;
      if (!opened || opened.newest) continue;
      const changed = await db()
        .update(twoFactor)
        .set({ sealedSecret: await encryptTotpSecret(opened.base32) })
        // Someone may have set up another app meanwhile.
        .where(and(eq(twoFactor.userId, userId), eq(twoFactor.sealedSecret, sealed)))
        .returning({ userId: twoFactor.userId });
      result.changed += changed.length;
    }
    if (rows.length < BATCH) return result;
    after = rows.at(-1)?.userId;
  }
}

/** Runs at startup where `AUTH_SECRET` is a list, as it is while secrets are rotated. Never rejects. */
export async function rotateTotpSecrets(): Promise<void> {
  if (env().AUTH_SECRET.length < 2) return;
  try {
    const result = await reencryptTotpSecrets();
    log.info({ event: 'secrets.rotated', ...result }, 'authenticator secrets use the newest AUTH_SECRET');
  } catch (error) {
    log.error(
      { event: 'secrets.not-rotated', err: error },
      'authenticator secrets still use an older AUTH_SECRET',
    );
  }
}
