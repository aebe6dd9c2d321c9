import { cookies } from 'next/headers';
import { decrypt, encrypt } from '@/lib/foundation/encryption';
import { cookieAttributes, hostCookieName } from '@/lib/foundation/http/cookies';
import type { ProviderAccount } from './providers';

/** What a browser carries for us for a while: a sign-in that waits for its code; a provider that is being connected. */
interface Sealed {
  pending: { userId: string; account: ProviderAccount; next: string };
  connecting: { userId: string; sessionId: string; provider: string };
}

/** Ten minutes, in seconds. */
const LIFETIME = 600;

const nameOf = (what: keyof Sealed) => hostCookieName(`daylight.${what}`);
const purposeOf = (what: keyof Sealed) => `daylight ${what}`;

/** Puts something into a cookie that nobody can read or alter. */
export async function setSealedCookie<W extends keyof Sealed>(what: W, claims: Sealed[W]): Promise<void> {
  const value = await encrypt({ claims }, { purpose: purposeOf(what), seconds: LIFETIME });
  (await cookies()).set({ name: nameOf(what), value, ...cookieAttributes(LIFETIME) });
}

/** What such a cookie says, or null where there is none of ours. */
export async function readSealedCookie<W extends keyof Sealed>(what: W): Promise<Sealed[W] | null> {
  const token = (await cookies()).get(nameOf(what))?.value;
  const opened = await decrypt(token, { purpose: purposeOf(what) });
  return (opened?.claims.claims as Sealed[W] | undefined) ?? null;
}

export async function clearSealedCookie(what: keyof Sealed): Promise<void> {
  (await cookies()).set({ name: nameOf(what), value: '', ...cookieAttributes(0) });
}
