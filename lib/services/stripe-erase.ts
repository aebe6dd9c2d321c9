import type Stripe from 'stripe';
import { cancelSubscription, isMissing, requestStripe, stripe } from './stripe';

/** Returns all subscriptions that a customer ever had, page by page; none if the customer is gone. */
async function* everySubscription(customer: string): AsyncIterable<Stripe.Subscription> {
  const wanted = { customer, status: 'all' as const, limit: 100 };
  let page = await requestStripe(stripe().subscriptions.list(wanted));
  yield* page.data;
  for (let last = page.data.at(-1); page.has_more && last; last = page.data.at(-1)) {
    page = await requestStripe(stripe().subscriptions.list({ ...wanted, starting_after: last.id }));
    yield* page.data;
  }
}

/**
 * Ends a customer's subscriptions right away, clears everything that says who they are, and deletes the customer. Stripe
 * keeps what it must for its books. Can be repeated.
 */
export async function eraseCustomer(customer: string): Promise<void> {
  try {
    for await (const { id, status } of everySubscription(customer)) {
      await requestStripe(stripe().subscriptions.update(id, { metadata: '' }));
      if (status !== 'canceled' && status !== 'incomplete_expired') await cancelSubscription(id);
    }
    const personal = { email: '', name: '', phone: '', description: '', address: '', shipping: '' } as const;
    await requestStripe(stripe().customers.update(customer, { ...personal, metadata: '' }));
    await requestStripe(stripe().customers.del(customer));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
