import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ownerColumn, planType } from './accounts';
import { timestamptz } from './columns';

/**
 * An account's Stripe customer, one row each for test mode and live mode. Everything about the account's billing is
 * read and changed under this row's lock.
 */
export const customers = pgTable(
  'customers',
  {
    userId: ownerColumn(),
    livemode: boolean().notNull(),
    /** Stripe's id; null until Stripe has a customer, and after the customer is deleted there. */
    stripeId: text('stripe_id').unique(),
    /** The last email address sent to Stripe for receipts. */
    email: text(),
    /** The only Checkout session that may be open. */
    checkoutId: text('checkout_id'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.livemode] })],
);

/** A subscription as last read from Stripe. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    /** Stripe's id. */
    id: text().primaryKey(),
    userId: ownerColumn(),
    livemode: boolean().notNull(),
    /** Null if the price isn't one of ours. */
    plan: planType(),
    /** Stripe's status. */
    status: text().notNull(),
    periodEnd: timestamptz('period_end').notNull(),
    /** The plan of a scheduled change: Free for a cancellation. */
    nextPlan: planType('next_plan'),
    changesAt: timestamptz('changes_at'),
    /** When an unpaid plan ends; null while it's paid. */
    graceEndsAt: timestamptz('grace_ends_at'),
  },
  (table) => [index('subscriptions_user').on(table.userId)],
);

/** Stripe events that were handled, so that each takes effect once. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    receivedAt: timestamptz('received_at').notNull().defaultNow(),
  },
  (table) => [index('webhook_events_received').on(table.receivedAt)],
);
