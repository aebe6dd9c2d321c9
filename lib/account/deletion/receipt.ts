import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import type { accountDeletions } from '@/db/schema/deletions';
import { env } from '@/lib/foundation/env';
import type { AccountContents } from './contract';

/** What a receipt says. It names neither the account nor anything in it. */
export interface Receipt {
  /** Opaque: it's in no other place. */
  id: string;
  site: string;
  requestedAt: string;
  startedAt: string;
  erasedAt: string;
  /** How many of each kind were erased. */
  erased: AccountContents & {
    /** Customers at Stripe. */
    stripeCustomers: number;
    /** Subscriptions that ended with that. */
    subscriptions: number;
    /** Files in storage, and their bytes: uploads, and what was made of them. */
    objects: number;
    objectBytes: number;
  };
}

/** What was counted when erasure started. */
type Counts = Omit<Receipt['erased'], 'objects' | 'objectBytes'>;

const KEY_INFO = 'daylight deletion receipt';
/** What comes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives the signing key of a secret with HKDF, so that no further secret has to be kept. */
function signingKeyOf(secret: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', KEY_INFO, 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** Returns a key's public part as a JWK, with its thumbprint (RFC 7638) as its id. */
function publicKeyOf(key: KeyObject) {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x } as const;
}

/** Returns the public keys of all listed `AUTH_SECRET`s, newest first. */
export function receiptKeys() {
  return env().AUTH_SECRET.map((secret) => publicKeyOf(signingKeyOf(secret)));
}

const encodePart = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns the receipt of an account that's erased in the transaction at hand. */
export function newReceipt(deletion: typeof accountDeletions.$inferSelect): Receipt {
  const { requestedAt, startedAt, counts, objects, bytes } = deletion;
  return {
    id: randomUUID(),
    site: new URL(env().APP_URL).host,
    requestedAt: requestedAt.toISOString(),
    startedAt: (startedAt ?? new Date()).toISOString(),
    erasedAt: new Date().toISOString(),
    erased: { ...(counts as Counts), objects: objects ?? 0, objectBytes: bytes ?? 0 },
  };
}

/** Signs a receipt with the newest `AUTH_SECRET`. @returns a compact JWS (RFC 7515) with Ed25519 (RFC 8037) */
export function signReceipt(receipt: Receipt): string {
  const key = signingKeyOf(env().AUTH_SECRET[0]);
  const { kid, alg } = publicKeyOf(key);
  const signed = `${encodePart({ alg, kid, typ: 'daylight-receipt' })}.${encodePart(receipt)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}
