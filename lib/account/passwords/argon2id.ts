import { hash } from '@node-rs/argon2';

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. The library's default is argon2id.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password or a code at once, in PHC string format. The site hashes in the queue of `passwords.ts` instead. */
export const argon2id = (secret: string): Promise<string> => hash(secret, OPTIONS);
