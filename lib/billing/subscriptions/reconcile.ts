import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers, subscriptions, webhookEvents } from '@/db/schema/billing';
import { sitePlan } from '@/lib/billing/plans/service';
import { changeCustomerEmail, isLiveMode, listEvents } from '@/lib/clients/stripe';
import { attemptAll, runAll } from '@/lib/foundation/attempt-all';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { lockCustomer, syncWithStripe } from './customer';
import { applyEvent, HANDLED_EVENTS } from './events';

const DAY = 86_400;
/** How many addresses one run sends. */
const BATCH = 500;

/** How many requests Stripe may fail to answer before the rest waits for the next run. */
const MAX_STRIPE_FAILURES = 3;

/**
 * Returns a check for whether to go on after a failure. Every customer that Stripe doesn't answer for takes half a
 * minute, so a few of them end the run. The order is random, so they don't block the same customers each time.
 */
function stopWhenStripeIsDown(): (error: unknown) => boolean {
  let unanswered = 0;
  return (error) => {
    if (error instanceof AppError && error.code === 'unavailable') unanswered += 1;
    return unanswered < MAX_STRIPE_FAILURES;
  };
}

const shuffled = <T>(things: T[]): T[] => things.toSorted(() => Math.random() - 0.5);

/** Returns the events that never arrived here. */
async function missedEvents(events: Stripe.Event[]): Promise<Stripe.Event[]> {
  const ids = events.map(({ id }) => id);
  const known = await db()
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(anyOf(webhookEvents.id, ids));
  const arrived = new Set(known.map(({ id }) => id));
  return events.filter(({ id }) => !arrived.has(id));
}

/** Applies Stripe events from the last three days that never arrived here. @returns how many */
async function applyMissedEvents(): Promise<number> {
  const happened: Stripe.Event[] = [];
  for await (const event of listEvents(HANDLED_EVENTS, Math.floor(Date.now() / 1000) - 3 * DAY)) {
    happened.push(event);
  }
  const lost = await missedEvents(happened);
  if (lost.length > 0) {
    log.warn(
      { event: 'billing.missed_events', lost: lost.length },
      'handling events that were never delivered',
    );
  }
  await attemptAll('billing: lost event', shuffled(lost), applyEvent, {
    name: ({ id }) => id,
    shouldContinue: stopWhenStripeIsDown(),
  });
  return lost.length;
}

/**
 * Refreshes customers whose period ended without an event, or whose payment is overdue: their grace period may be
 * over.
 */
async function syncStaleCustomers(): Promise<void> {
  const livemode = isLiveMode();
  const stale = await db()
    .selectDistinct({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.livemode, livemode),
        or(eq(subscriptions.status, 'past_due'), lt(subscriptions.periodEnd, sql`now() - interval '1 hour'`)),
      ),
    );
  await attemptAll(
    'billing: stale subscription',
    shuffled(stale),
    ({ userId }) => db().transaction(async (tx) => syncWithStripe(tx, await lockCustomer(tx, userId))),
    { name: ({ userId }) => userId, shouldContinue: stopWhenStripeIsDown() },
  );
}

async function syncCustomerEmail(userId: string, stripeId: string, email: string): Promise<void> {
  if (!(await changeCustomerEmail(stripeId, email))) {
    log.warn({ event: 'billing.email_rejected', userId }, 'Stripe refuses an address; the old one stays');
  }
  await db()
    .update(customers)
    .set({ email })
    .where(and(eq(customers.userId, userId), eq(customers.stripeId, stripeId)));
}

/** Sends Stripe the addresses that were changed here, so that receipts reach their owners. */
async function syncCustomerEmails(): Promise<void> {
  const changed = await db()
    .select({ userId: users.id, stripeId: customers.stripeId, email: users.email })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.userId))
    .where(
      and(
        eq(customers.livemode, isLiveMode()),
        isNotNull(customers.stripeId),
        sql`${customers.email} is distinct from ${users.email}`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(BATCH);
  await attemptAll(
    'billing: address',
    changed,
    async ({ userId, stripeId, email }) => stripeId && syncCustomerEmail(userId, stripeId, email),
    { name: ({ userId }) => userId, shouldContinue: stopWhenStripeIsDown() },
  );
}

/** Revokes plans that were bought in the other mode, after the keys were switched. */
async function revokeOtherModePlans(): Promise<void> {
  const livemode = isLiveMode();
  const of = (mode: boolean) =>
    sql`(select 1 from ${subscriptions} where ${subscriptions.userId} = ${users.id} and ${subscriptions.livemode} = ${mode})`;
  await db()
    .update(users)
    .set({ plan: 'Free' })
    .where(sql`${users.plan} <> 'Free' and exists ${of(!livemode)} and not exists ${of(livemode)}`);
}

/**
 * Runs every hour: applies what lost webhooks left undone, and sends Stripe what changed here. A failure for one
 * customer or in one step doesn't stop the rest. Does nothing where the site doesn't charge.
 * @throws Error at the end if anything failed
 */
export async function reconcile(): Promise<{ lost: number }> {
  if (sitePlan()) return { lost: 0 };
  let lost = 0;
  await runAll('billing: reconciliation', {
    lost: async () => {
      lost = await applyMissedEvents();
    },
    stale: syncStaleCustomers,
    otherMode: revokeOtherModePlans,
    // Stripe lists events for 30 days, so an older one can't come back.
    oldEvents: () =>
      db().delete(webhookEvents).where(lt(webhookEvents.receivedAt, sql`now() - interval '40 days'`)),
    addresses: syncCustomerEmails,
  });
  return { lost };
}
