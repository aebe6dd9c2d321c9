import { cookies } from 'next/headers';
import { decrypt, encrypt } from '@/lib/encryption';
import { cookieAttributes, cookieNames } from '@/lib/http/cookies';

const REGISTERED = 'daylight registered';
const THREE_DAYS = 72 * 3600;

/** Stores, encrypted, the address that this browser just registered, so that it can request the email again. */
export async function setRegisteredCookie(email: string): Promise<void> {
  const value = await encrypt({ email, askedAt: Date.now() }, { purpose: REGISTERED, seconds: THREE_DAYS });
  (await cookies()).set({ name: cookieNames().registered, value, ...cookieAttributes(THREE_DAYS) });
}

export async function readRegisteredCookie(): Promise<{ email: string; askedAt: number } | null> {
  const token = (await cookies()).get(cookieNames().registered)?.value;
  const { email, askedAt } = (await decrypt(token, { purpose: REGISTERED }))?.claims ?? {};
  return typeof email === 'string' && typeof askedAt === 'number' ? { email, askedAt } : null;
}
