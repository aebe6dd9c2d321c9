import {
  bigint,
  index,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownerColumn, users } from './accounts';
import { timestamptz } from './columns';

/** An account's authenticator app. */
export const twoFactor = pgTable('two_factor', {
  userId: ownerColumn().primaryKey(),
  /** The shared secret, encrypted with AUTH_SECRET. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Null until a first code has proved that the app has the secret. */
  confirmedAt: timestamptz('confirmed_at'),
  /** The time step of the last accepted code, so that each code works once (RFC 6238, section 5.2). */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** Codes to sign in with when the authenticator app is lost. Each works once and is then deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    /** SHA-256 of the code, in hex; a code has 80 random bits. */
    hash: text().primaryKey(),
    userId: ownerColumn(),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
);

/** Passkeys: WebAuthn discoverable credentials with user verification. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    /** The authenticator's id for it, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** The authenticator's signature counter; 0 if it doesn't count. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How the browser reaches it: 'internal', 'hybrid', 'usb' … */
    transports: text().array().notNull(),
    /** The name its owner gave it. */
    name: text().notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    lastUsedAt: timestamptz('last_used_at'),
    /** Set by a password reset or a merge. It can't sign in until its owner turns it back on. */
    disabledAt: timestamptz('disabled_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Answered passkey challenges, so that each works once. */
export const spentChallenges = pgTable(
  'spent_challenges',
  {
    /** SHA-256 of the challenge, in hex. */
    hash: text().primaryKey(),
    /** When the challenge has expired and this row can be deleted. */
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [index('spent_challenges_expiry').on(table.expiresAt)],
);

export const provider = pgEnum('provider', ['google', 'github']);

/** Provider accounts that sign their owner in, at most one for each provider. */
export const identities = pgTable(
  'identities',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    provider: provider().notNull(),
    /** The provider's permanent id for the account. */
    providerAccountId: text('provider_account_id').notNull(),
    /** The provider account's address when it was connected, so that its owner can recognize it. */
    email: text().notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** Set by a password reset or a merge. It can't sign in until its owner turns it back on. */
    disabledAt: timestamptz('disabled_at'),
  },
  (table) => [
    uniqueIndex('identities_account').on(table.provider, table.providerAccountId),
    uniqueIndex('identities_user').on(table.userId, table.provider),
  ],
);

/** The security history of an account, kept for 90 days. It holds no secrets and no full addresses. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: uuid().primaryKey(),
    /** Null if there's no account, such as when someone tries to sign in to one that doesn't exist. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    at: timestamptz('at').notNull().defaultNow(),
    requestId: text('request_id'),
    /** The network it came from: /24 for IPv4, /48 for IPv6. */
    network: text().notNull(),
    /** For example 'Firefox on Linux'. */
    device: text().notNull(),
    sessionId: uuid('session_id'),
    /** Additional detail, such as the sign-in method. */
    detail: text(),
  },
  (table) => [index('audit_events_user').on(table.userId, table.at), index('audit_events_at').on(table.at)],
);

/** Browsers that an account has signed in from. A sign-in from any other notifies the owner. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: ownerColumn(),
    /** SHA-256 of the account's id and the browser's device cookie, in hex. */
    hash: text().notNull(),
    lastSeenAt: timestamptz('last_seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Emails about a new device or a changed factor, with what their links need to undo it. */
export const securityNotices = pgTable(
  'security_notices',
  {
    /** Increases with each of an account's changes, because they're written one at a time. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: ownerColumn(),
    /** SHA-256 of the link's token, in hex. */
    hash: text().notNull().unique(),
    kind: text().notNull(),
    /** The device, or the account before the change. Secrets are hashed or encrypted as in their own tables. */
    payload: jsonb().notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [
    index('security_notices_user').on(table.userId),
    index('security_notices_expiry').on(table.expiresAt),
  ],
);
