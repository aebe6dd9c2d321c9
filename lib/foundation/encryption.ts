import { hkdfSync, randomUUID } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { JWT } from 'next-auth/jwt';
import { env } from './env';

interface Options {
  /** Names the use, so that what was encrypted for one use can't be read for another. Empty for next-auth's sessions. */
  purpose: string;
  /** Makes the key depend on something else as well, which isn't stored beside the token. */
  extraKey?: string | undefined;
}

/** How far two clocks may differ, in seconds, as next-auth allows. */
const CLOCK_TOLERANCE = 15;

/** Returns the key that next-auth derives from a secret (HKDF, RFC 5869) for a purpose, its salt. */
function deriveKey(secret: string, purpose: string): Uint8Array {
  const info = `NextAuth.js Generated Encryption Key${purpose ? ` (${purpose})` : ''}`;
  return new Uint8Array(hkdfSync('sha256', secret, purpose, info, 32));
}

/** Keys of the site, a few: every request needs one, and next-auth's own functions would derive it each time. */
const siteKeys = new Map<string, Uint8Array>();

function siteKey(secret: string, purpose: string): Uint8Array {
  const name = `${purpose} ${secret}`;
  const known = siteKeys.get(name) ?? deriveKey(secret, purpose);
  siteKeys.set(name, known);
  return known;
}

const keyOf = (secret: string, { purpose, extraKey }: Options): Uint8Array =>
  extraKey ? deriveKey(`${secret} ${extraKey}`, purpose) : siteKey(secret, purpose);

/**
 * Encrypts claims with the newest `AUTH_SECRET`.
 * @param claims any JSON
 * @returns a JWT as next-auth makes it: A256GCM, the key derived with HKDF per purpose, expiring after `seconds`
 */
export function encrypt(
  claims: JWT,
  { purpose, extraKey, seconds }: Options & { seconds: number },
): Promise<string> {
  const [newest] = env().AUTH_SECRET;
  const now = Math.floor(Date.now() / 1000);
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .setJti(randomUUID())
    .encrypt(keyOf(newest, { purpose, extraKey }));
}

/**
 * Decrypts a token with whichever `AUTH_SECRET` encrypted it.
 * @returns the claims, or null when the token has expired (15 s of clock skew allowed), was altered, or was encrypted
 * with a secret that is no longer listed; and in `newest` whether the newest secret encrypted it
 */
export async function decrypt(
  token: string | null | undefined,
  options: Options,
): Promise<{ claims: JWT; newest: boolean } | null> {
  if (!token) return null;
  for (const [index, secret] of env().AUTH_SECRET.entries()) {
    const opened = await jwtDecrypt(token, keyOf(secret, options), { clockTolerance: CLOCK_TOLERANCE }).catch(
      () => null,
    );
    if (opened) return { claims: opened.payload, newest: index === 0 };
  }
  return null;
}
