import { sql } from 'drizzle-orm';
import { date, index, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns';

export const gender = pgEnum('gender', ['male', 'female', 'non-binary', 'prefer not to say']);
export const planType = pgEnum('plan_type', ['Free', 'Basic', 'Standard']);
export const linkPurpose = pgEnum('link_purpose', ['verify', 'reset', 'email']);

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** Lower-cased; unique. */
  email: text().notNull().unique(),
  /** Null for an account that signs in by a provider and has not set a password yet. */
  passwordHash: text('password_hash'),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  /** Null, as the date of birth, where a provider opened the account. */
  gender: gender(),
  dateOfBirth: date('date_of_birth'),
  /** When the current address was confirmed, by a link or by a provider; null until then. */
  verifiedAt: moment('verified_at'),
  plan: planType().notNull().default('Free'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** A sign-in and all that was renewed from it: the family of its refresh tokens. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text('user_agent').notNull().default(''),
    /** Hash of the browser's device cookie, as in `known_devices`; null for a session older than that table. */
    deviceHash: text('device_hash'),
    /** When its owner signed in. A session ends 90 days later, whatever happens. */
    createdAt: moment('created_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
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
    expiresAt: moment('expires_at').notNull(),
    /** When it was first exchanged for its successor. */
    spentAt: moment('spent_at'),
    /** The pair it was exchanged for, encrypted with the token itself, so that a second tab gets the same one. */
    sealedPair: text('sealed_pair'),
  },
  (table) => [
    index('refresh_tokens_session').on(table.sessionId),
    index('refresh_tokens_sealed').on(table.spentAt).where(sql`${table.sealedPair} is not null`),
  ],
);

/** Links in mails: one live link for each purpose and account. */
export const mailLinks = pgTable(
  'mail_links',
  {
    /** SHA-256 of the token, in hex. */
    hash: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: linkPurpose().notNull(),
    /** The new address that an 'email' link makes the account's own. */
    email: text(),
    /** The session that asked for the new address; an 'email' link works in that one only. */
    sessionId: uuid('session_id'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('mail_links_user').on(table.userId, table.purpose)],
);
