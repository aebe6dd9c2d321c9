import type Stripe from 'stripe';
import { cancelSubscription, isMissing, requestStripe, stripe } from './stripe';

/** Calls Stripe. @returns undefined if the object is gone */
async function requestIfPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await requestStripe(work);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns all subscriptions that a customer ever had, page by page; none if the customer is gone. */
async function* everySubscription(customer: string): AsyncIterable<Stripe.Subscription> {
  const wanted = { customer, status: 'all' as const, limit: 100 };
  let page = await requestIfPresent(stripe().subscriptions.list(wanted));
  if (!page) return;
  yield* page.data;
  for (let last = page.data.at(-1); page.has_more && last; last = page.data.at(-1)) {
    page = await requestStripe(stripe().subscriptions.list({ ...wanted, starting_after: last.id }));
    yield* page.data;
  }
}

/**
 * Ends a customer's subscriptions right away, clears everything that says who they are, and deletes the customer. Stripe
 * keeps what it must for its books: ended subscriptions keep the account's id, which means nothing without the account.
 * Can be repeated. No step is skipped because something an earlier one needed is gone.
 */
export async function eraseCustomer(customer: string): Promise<void> {
  for await (const { id, status } of everySubscription(customer)) {
    if (status !== 'canceled' && status !== 'incomplete_expired') await cancelSubscription(id);
  }
  const personal = { email: '', name: '', phone: '', description: '', address: '', shipping: '' } as const;
  await requestIfPresent(stripe().customers.update(customer, { ...personal, metadata: '' }));
  await requestIfPresent(stripe().customers.del(customer));
}
