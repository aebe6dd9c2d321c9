import { parse as idToBytes } from 'uuid';
import { env } from '@/lib/foundation/env';

/** The site as authenticators know it, by APP_URL and never by a request's Host. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** The account as authenticators keep it: its id's 16 bytes, which tell nobody who it is (WebAuthn 3, 14.6.1). */
export function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(idToBytes(userId));
}
