import { hkdfSync } from 'node:crypto';
import { jwtDecrypt } from 'jose';
import { encode, type JWT } from 'next-auth/jwt';
import { env } from './env';

interface Options {
  /** Names the use, so that what was encrypted for one use can't be read for another. Empty for next-auth's sessions. */
  purpose: string;
  /** Makes the key depend on something else as well, which isn't stored beside the token. */
  extraKey?: string | undefined;
}

const keyFrom = (secret: string, extraKey?: string) => (extraKey ? `${secret} ${extraKey}` : secret);

/** How far two clocks may differ, in seconds, as next-auth allows. */
const CLOCK_TOLERANCE = 15;

/** Returns the key that next-auth derives from a secret (HKDF, RFC 5869) for a purpose, its salt. */
function deriveKey(secret: string, purpose: string): Uint8Array {
  const info = `NextAuth.js Generated Encryption Key${purpose ? ` (${purpose})` : ''}`;
  return new Uint8Array(hkdfSync('sha256', secret, purpose, info, 32));
}

/** Keys of the site, a few: every request needs one, and next-auth's own `decode` would derive it each time. */
const siteKeys = new Map<string, Uint8Array>();

function siteKey(secret: string, purpose: string): Uint8Array {
  const name = `${purpose} ${secret}`;
  const known = siteKeys.get(name) ?? deriveKey(secret, purpose);
  siteKeys.set(name, known);
  return known;
}

/**
 * Encrypts claims with the newest `AUTH_SECRET`.
 * @param claims any JSON
 * @returns a JWT as next-auth makes it: A256GCM, the key derived with HKDF per purpose, expiring after `seconds`
 */
export function encrypt(claims: JWT, options: Options & { seconds: number }): Promise<string> {
  const [newest] = env().AUTH_SECRET;
  return encode({
    token: claims,
    secret: keyFrom(newest, options.extraKey),
    salt: options.purpose,
    maxAge: options.seconds,
  });
}

/**
 * Decrypts a token with whichever `AUTH_SECRET` encrypted it.
 * @returns the claims, or null when the token has expired (15 s of clock skew allowed), was altered, or was encrypted
 * with a secret that is no longer listed; and in `newest` whether the newest secret encrypted it
 */
export async function decrypt(
  token: string | null | undefined,
  { purpose, extraKey }: Options,
): Promise<{ claims: JWT; newest: boolean } | null> {
  if (!token) return null;
  for (const [index, secret] of env().AUTH_SECRET.entries()) {
    const key = extraKey ? deriveKey(keyFrom(secret, extraKey), purpose) : siteKey(secret, purpose);
    const opened = await jwtDecrypt(token, key, { clockTolerance: CLOCK_TOLERANCE }).catch(() => null);
    if (opened) return { claims: opened.payload, newest: index === 0 };
  }
  return null;
}
