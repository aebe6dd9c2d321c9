import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { planType, users } from './accounts';
import { moment } from './columns';

/**
 * An account as Stripe knows it, in test mode and in live mode apart. Its row is also the lock under which
 * everything about the account's money is read and changed.
 */
export const customers = pgTable(
  'customers',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    livemode: boolean().notNull(),
    /** Stripe's id; null before the first contact, and after the customer was deleted there. */
    stripeId: text('stripe_id').unique(),
    /** The address that Stripe was last given for receipts. */
    email: text(),
    /** The one Checkout page that may be open. */
    checkoutId: text('checkout_id'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.livemode] })],
);

/** What was last read of a subscription at Stripe. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    /** Stripe's id. */
    id: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    livemode: boolean().notNull(),
    /** Null for a price that is none of ours. */
    plan: planType(),
    /** Stripe's word for it. */
    status: text().notNull(),
    periodEnd: moment('period_end').notNull(),
    /** The plan that follows, when a change is arranged: Free for a cancellation. */
    nextPlan: planType('next_plan'),
    changesAt: moment('changes_at'),
    /** Until when an unpaid plan is kept; null while it is paid. */
    graceEndsAt: moment('grace_ends_at'),
  },
  (table) => [index('subscriptions_user').on(table.userId)],
);

/** Events of Stripe that have done their work, so that each does it once. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    receivedAt: moment('received_at').notNull().defaultNow(),
  },
  (table) => [index('webhook_events_received').on(table.receivedAt)],
);
