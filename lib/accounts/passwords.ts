import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. The library's default is argon2id.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Each hashing holds a thread of libuv's four; leaving two keeps files and names answering under a flood.
const limit = pLimit(2);

/** Hashes a password with argon2id, in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return limit(() => hash(password, OPTIONS));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Without a hash (an unknown address, or an account without a password) it takes the same time
 * and says no.
 */
export async function passwordMatches(hashed: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has');
  const compared = hashed ?? (await decoy);
  const same = await limit(() => verify(compared, password));
  return same && Boolean(hashed);
}
