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
import { users } from './accounts';
import { moment } from './columns';

/** The authenticator app of an account. */
export const twoFactor = pgTable('two_factor', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The shared secret, encrypted with AUTH_SECRET. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Null until a first code has shown that the app has the secret. */
  confirmedAt: moment('confirmed_at'),
  /** The time step of the last code that was accepted: each code works once (RFC 6238, 5.2). */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** What opens the account when the authenticator app is lost; each code works once and is then deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    /** SHA-256 of the code, in hex; a code has 80 random bits. */
    hash: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
);

/** Public keys that sign in by themselves (WebAuthn, discoverable credentials with user verification). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The authenticator's own id of it, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often it has signed, where the authenticator counts; 0 where it does not. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How the browser reaches it: 'internal', 'hybrid', 'usb' … */
    transports: text().array().notNull(),
    /** What its owner calls it. */
    name: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at'),
    /** Set by a password reset or a merge: it can't sign in until its owner turns it back on. */
    disabledAt: moment('disabled_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Challenges of passkeys that were answered: each works once. */
export const spentChallenges = pgTable(
  'spent_challenges',
  {
    /** SHA-256 of the challenge, in hex. */
    hash: text().primaryKey(),
    /** When the challenge is too old anyway and this row may go. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('spent_challenges_expiry').on(table.expiresAt)],
);

export const provider = pgEnum('provider', ['google', 'github']);

/** Accounts at providers that sign their owner in here; one of each provider at most. */
export const identities = pgTable(
  'identities',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: provider().notNull(),
    /** The provider's own, unchanging id of it. */
    providerAccountId: text('provider_account_id').notNull(),
    /** Its address when it was connected, to tell it by. */
    email: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Set by a password reset or a merge: it can't sign in until its owner turns it back on. */
    disabledAt: moment('disabled_at'),
  },
  (table) => [
    uniqueIndex('identities_account').on(table.provider, table.providerAccountId),
    uniqueIndex('identities_user').on(table.userId, table.provider),
  ],
);

/** What has happened at the door, for 90 days. No secrets, no addresses in full. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: uuid().primaryKey(),
    /** Null where it is nobody's, as a try to log in to an account that is not there. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    at: moment('at').notNull().defaultNow(),
    requestId: text('request_id'),
    /** The network that it came from: /24 of IPv4, /48 of IPv6. */
    network: text().notNull(),
    /** In words, for instance 'Firefox on Linux'. */
    device: text().notNull(),
    sessionId: uuid('session_id'),
    /** One word more, for instance by which way. */
    detail: text(),
  },
  (table) => [index('audit_events_user').on(table.userId, table.at), index('audit_events_at').on(table.at)],
);

/** Browsers that an account has signed in from, so that a sign-in from another one is news to its owner. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the account's id and the browser's device cookie, in hex. */
    hash: text().notNull(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Emails about a new device or a changed factor, with what their link needs to undo it. */
export const securityNotices = pgTable(
  'security_notices',
  {
    /** Grows with each notice of an account, which are written one at a time: the order of its changes. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the link's token, in hex. */
    hash: text().notNull().unique(),
    kind: text().notNull(),
    /** The device, or the account as it was before the change; secrets are hashed or sealed as in their own tables. */
    payload: jsonb().notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('security_notices_user').on(table.userId),
    index('security_notices_expiry').on(table.expiresAt),
  ],
);
