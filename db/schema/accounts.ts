import { sql } from 'drizzle-orm';
import { date, index, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from './columns';

export const gender = pgEnum('gender', ['male', 'female', 'non-binary', 'prefer not to say']);
export const planType = pgEnum('plan_type', ['Free', 'Basic', 'Standard']);
export const linkPurpose = pgEnum('link_purpose', ['verify', 'reset', 'email']);

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** Lower-cased; unique. */
  email: text().notNull().unique(),
  /** Null for an account that signs in with a provider and hasn't set a password. */
  passwordHash: text('password_hash'),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  /** Null, like the date of birth, if the account was created with a provider. */
  gender: gender(),
  dateOfBirth: date('date_of_birth'),
  /** When a link or a provider confirmed the current address; null until then. */
  verifiedAt: timestamptz('verified_at'),
  /** What the account's subscription gives it. */
  plan: planType().notNull().default('Free'),
  /** What the operator gave it, which counts instead; null for most accounts. */
  grantedPlan: planType('granted_plan'),
  /** When the operator turned the account off; null while it's in use. */
  disabledAt: timestamptz('disabled_at'),
  createdAt: timestamptz('created_at').notNull().defaultNow(),
  /** The steps of the empty dashboard that its owner doesn't want to see again. */
  dismissedSteps: text('dismissed_steps').array().notNull().default([]),
});

/** The account that a row belongs to, and is deleted along with. */
export const ownerColumn = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** A sign-in and everything renewed from it. Its refresh tokens are one family. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    userAgent: text('user_agent').notNull().default(''),
    /** Hash of the browser's device cookie, as in `known_devices`; null in sessions older than that table. */
    deviceHash: text('device_hash'),
    /** When its owner signed in. A session always ends 90 days later. */
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    lastSeenAt: timestamptz('last_seen_at').notNull().defaultNow(),
    revokedAt: timestamptz('revoked_at'),
    /** When its owner chose to go on although the account is going to be deleted. */
    deletionSeenAt: timestamptz('deletion_seen_at'),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    /** SHA-256 of the token, in hex; the token itself is only ever in the browser. */
    hash: text().primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    expiresAt: timestamptz('expires_at').notNull(),
    /** When it was first exchanged for its successor. */
    spentAt: timestamptz('spent_at'),
    /** The pair it was exchanged for, encrypted with the token itself, so that a second tab gets the same pair. */
    sealedPair: text('sealed_pair'),
  },
  (table) => [
    index('refresh_tokens_session').on(table.sessionId),
    index('refresh_tokens_sealed').on(table.spentAt).where(sql`${table.sealedPair} is not null`),
  ],
);

/** Links in emails. Each works once. */
export const mailLinks = pgTable(
  'mail_links',
  {
    /** SHA-256 of the token, in hex. */
    hash: text().primaryKey(),
    userId: ownerColumn(),
    purpose: linkPurpose().notNull(),
    /** The new address that an 'email' link confirms. */
    email: text(),
    /** The session that requested the new address. An 'email' link works in no other session. */
    sessionId: uuid('session_id'),
    expiresAt: timestamptz('expires_at').notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [index('mail_links_user').on(table.userId, table.purpose)],
);

/** Addresses that were invited to sign up. An invitation has two links, and is deleted when either is used. */
export const invitations = pgTable('invitations', {
  /** Lower-cased. */
  email: text().primaryKey(),
  /** SHA-256, in hex, of the token that's only in the email. Whoever has it can read mail at that address. */
  mailHash: text('mail_hash').notNull().unique(),
  /** The same of the token that the operator sees, which proves nothing about the address. */
  shownHash: text('shown_hash').notNull().unique(),
  expiresAt: timestamptz('expires_at').notNull(),
  createdAt: timestamptz('created_at').notNull().defaultNow(),
});
