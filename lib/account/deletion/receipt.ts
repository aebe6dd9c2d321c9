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
import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from '@/lib/messaging/mails/write-mail';
import { describeContents } from './contents';
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

const list = new Intl.ListFormat('en-US');

/** Tells the local mailbox to delete the earlier emails to this address. Elsewhere it's a label. */
const ERASED_TAG = { name: 'account', value: 'erased' };

/** Says what became of the subscription and the customer at Stripe, as far as there were any. */
function aboutStripe({ stripeCustomers, subscriptions }: Receipt['erased']): string[] {
  if (stripeCustomers === 0) return [];
  const ended = subscriptions > 0 ? 'Your subscription has ended. ' : '';
  return [`${ended}Your details at Stripe are deleted. Stripe keeps only what its accounting needs.`];
}

/** Says what was erased, and carries the signed receipt. Nothing of the account is left to greet its owner by. */
export async function erasedMail(email: string, receipt: Receipt): Promise<Mail> {
  const erased = describeContents(receipt.erased);
  const subject = 'Your account has been deleted';
  const mail = await renderEmail({ email }, subject, {
    preview: 'Everything in it is gone. This is your receipt.',
    paragraphs: [
      `Your Daylight account is gone, and so is everything in it${erased.length > 0 ? `: ${list.format(erased)}` : ''}. We also deleted your name, your email address, every way you signed in, your prepared downloads, and your security history.`,
      ...aboutStripe(receipt.erased),
      'Here’s a signed receipt. It says how much was deleted and when, and nothing about what was in your journal.',
    ],
    code: signReceipt(receipt),
    footnote: `Check the signature with the keys at ${env().APP_URL}/api/v1/deletion_receipt_keys. This is our last email to you.`,
  });
  return { ...mail, tags: [ERASED_TAG] };
}
