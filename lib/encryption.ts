import { decode, encode, type JWT } from 'next-auth/jwt';
import { env } from './env';

interface Options {
  /** Names the use, so that what was encrypted for one use can't be read for another. Empty for next-auth's sessions. */
  purpose: string;
  /** Makes the key depend on something else as well, which isn't stored beside the token. */
  extraKey?: string | undefined;
}

const keyFrom = (secret: string, extraKey?: string) => (extraKey ? `${secret} ${extraKey}` : secret);

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
    const options = { token, secret: keyFrom(secret, extraKey), salt: purpose };
    const claims = await decode(options).catch(() => null);
    if (claims) return { claims, newest: index === 0 };
  }
  return null;
}
