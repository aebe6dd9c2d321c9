import { cookies } from 'next/headers';
import { decrypt, encrypt } from '@/lib/foundation/encryption';
import { cookieAttributes, cookieNames } from '@/lib/foundation/http/cookies';
import { type Registration, registration } from './verification';

const REGISTERED = 'daylight registered';
const THREE_DAYS = 72 * 3600;

/** Only one of them can be an account, usually the oldest. More than this many tries aren't remembered. */
const MAX_ACCOUNT_IDS = 5;

async function write(value: string, seconds: number): Promise<void> {
  (await cookies()).set({ name: cookieNames().registered, value, ...cookieAttributes(seconds) });
}

async function setRegistration(claims: Registration): Promise<void> {
  await write(await encrypt({ ...claims }, { purpose: REGISTERED, seconds: THREE_DAYS }), THREE_DAYS);
}

/**
 * Stores, encrypted, what this browser just signed up with: so that it can request the email again, and so that the
 * email's link signs it in. Signing up again with the same address doesn't lose what came before.
 * @param accountId from `register`, an account's or not
 */
export async function setRegisteredCookie(
  email: string,
  accountId: string,
  next: string | undefined,
): Promise<void> {
  const before = await readRegisteredCookie();
  const earlier = before?.email === email ? before.accountIds : [];
  const accountIds = [...earlier, accountId].slice(0, MAX_ACCOUNT_IDS);
  await setRegistration({ email, accountIds, askedAt: Date.now(), next });
}

/** Remembers that this browser has just asked for the email again. */
export async function renewRegisteredCookie(registered: Registration): Promise<void> {
  await setRegistration({ ...registered, askedAt: Date.now() });
}

export async function readRegisteredCookie(): Promise<Registration | null> {
  const token = (await cookies()).get(cookieNames().registered)?.value;
  const { data } = registration.safeParse((await decrypt(token, { purpose: REGISTERED }))?.claims);
  return data ?? null;
}

/** Forgets the sign-up once its address is verified. */
export async function clearRegisteredCookie(): Promise<void> {
  await write('', 0);
}
