import Stripe from 'stripe';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { withDeadline } from './deadline';

/** The API version this code was written for, which the SDK's types match. */
const API_VERSION = '2026-10-28.endive';

let client: Stripe | undefined;

/** Returns the two secrets. @throws AppError `billing_off` where the site doesn't charge, as every call here does */
function secrets(): { key: string; webhook: string } {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook } = env();
  if (key === undefined || webhook === undefined) throw new AppError('billing_off');
  return { key, webhook };
}

/** Returns the client. */
function stripe(): Stripe {
  if (client) return client;
  const { STRIPE_API_BASE } = env();
  const base = STRIPE_API_BASE ? new URL(STRIPE_API_BASE) : undefined;
  const elsewhere = base && {
    host: base.hostname,
    port: base.port || (base.protocol === 'https:' ? 443 : 80),
    protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
  };
  client = new Stripe(secrets().key, {
    apiVersion: API_VERSION,
    timeout: 5000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...elsewhere,
  });
  return client;
}

/** Returns whether the key is a live one. Objects created in one mode don't exist in the other. */
export const isLiveMode = (): boolean => !secrets().key.includes('_test_');

const { errors } = Stripe;

/** Returns the id of an object that Stripe may have sent along. */
export const idOf = (value: string | { id: string }): string =>
  typeof value === 'string' ? value : value.id;

/** Stripe validates email addresses by its own rules. */
const isAddressRefused = (error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError &&
  (error.code === 'email_invalid' || error.param === 'email');

/**
 * Calls Stripe. Throws AppError `unavailable` if it doesn't answer in time or can't right now. The SDK's own timeout only
 * counts the time without any data, and starts anew with each call and retry.
 */
async function requestStripe<T>(work: Promise<T>): Promise<T> {
  try {
    return await withDeadline(
      work,
      () => new errors.StripeConnectionError({ message: 'No answer in time.' }),
    );
  } catch (error) {
    const away = [errors.StripeConnectionError, errors.StripeAPIError, errors.StripeRateLimitError];
    if (away.some((kind) => error instanceof kind)) throw new AppError('unavailable', { cause: error });
    throw error;
  }
}

/** Calls Stripe like {@link requestStripe}. @returns null if the object is gone, or never existed in this mode */
async function requestIfPresent<T>(work: Promise<T>): Promise<T | null> {
  return requestStripe(work).catch((error: unknown) => {
    const isMissing = error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (isMissing) return null;
    throw error;
  });
}

/** Yields everything in a list, page by page; nothing if what it's a list of is gone. */
async function* everyItem<T>(list: Stripe.ApiListPromise<T>): AsyncGenerator<T> {
  const items = list[Symbol.asyncIterator]();
  for (;;) {
    const next = await requestIfPresent(items.next());
    if (!next || next.done) return;
    yield next.value;
  }
}

/** Creates a customer, without the email address if Stripe rejects it: Checkout then asks for one. @returns its id */
export async function createCustomer(userId: string, email: string): Promise<string> {
  const metadata = { userId };
  const { id } = await requestStripe(stripe().customers.create({ email, metadata })).catch(
    (error: unknown) => {
      if (!isAddressRefused(error)) throw error;
      return requestStripe(stripe().customers.create({ metadata }));
    },
  );
  return id;
}

/**
 * Changes where a customer's receipts go. Does nothing if the customer no longer exists at Stripe.
 * @returns false if Stripe rejects the address
 */
export async function changeCustomerEmail(customer: string, email: string): Promise<boolean> {
  try {
    await requestIfPresent(stripe().customers.update(customer, { email }));
  } catch (error) {
    if (isAddressRefused(error)) return false;
    throw error;
  }
  return true;
}

/**
 * Returns a customer's subscriptions that haven't ended, newest first, with their schedule and latest invoice.
 * @returns null if the customer was deleted or never existed in this mode
 */
export async function readSubscriptions(customer: string): Promise<Stripe.Subscription[] | null> {
  const found = await requestIfPresent(stripe().customers.retrieve(customer));
  if (!found || found.deleted) return null;
  const expand = ['data.schedule', 'data.latest_invoice'];
  const page = await requestIfPresent(stripe().subscriptions.list({ customer, limit: 100, expand }));
  return page?.data ?? null;
}

/** Returns the active price with an id or a lookup key; null if there is none. */
export async function readPrice(name: string): Promise<Stripe.Price | null> {
  if (name.startsWith('price_')) return requestStripe(stripe().prices.retrieve(name));
  const { data } = await requestStripe(stripe().prices.list({ lookup_keys: [name], active: true, limit: 1 }));
  return data[0] ?? null;
}

/** Opens a Checkout page where a customer can subscribe. */
export const openCheckout = (
  options: Omit<Stripe.Checkout.SessionCreateParams, 'mode'>,
): Promise<Stripe.Checkout.Session> =>
  requestStripe(stripe().checkout.sessions.create({ mode: 'subscription', ...options }));

/** Returns a Checkout page's current state, or null if there's none with this id. */
export const readCheckout = (id: string): Promise<Stripe.Checkout.Session | null> =>
  requestIfPresent(stripe().checkout.sessions.retrieve(id));

/** Closes a Checkout page. It isn't an error if it has been paid or has expired in the meantime. */
export async function expireCheckout(id: string): Promise<void> {
  try {
    await requestStripe(stripe().checkout.sessions.expire(id));
  } catch (error) {
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
  }
}

/** Opens the customer portal, at the change to confirm if there is one. @returns its URL */
export async function openPortal(
  options: Stripe.BillingPortal.SessionCreateParams & { customer: string; configuration: string },
): Promise<string> {
  const { url } = await requestStripe(stripe().billingPortal.sessions.create(options));
  return url;
}

/**
 * Returns the portal configuration with this mark, created if it doesn't exist.
 * @param mark changes whenever the configuration should
 */
export async function portalConfiguration(
  mark: string,
  features: Stripe.BillingPortal.ConfigurationCreateParams.Features,
): Promise<string> {
  const { configurations } = stripe().billingPortal;
  const known = await requestStripe(configurations.list({ active: true, limit: 100 }));
  const ours = known.data.find(({ metadata }) => metadata?.daylight === mark);
  if (ours) return ours.id;
  const made = await requestStripe(configurations.create({ features, metadata: { daylight: mark } }));
  return made.id;
}

/** Ends a subscription right away. It isn't an error if it has already ended. */
export async function cancelSubscription(id: string): Promise<void> {
  await requestIfPresent(stripe().subscriptions.cancel(id));
}

/**
 * Ends a customer's subscriptions right away, clears everything that says who they are, and deletes the customer. Stripe
 * keeps what it must for its books: ended subscriptions keep the account's id, which means nothing without the account.
 * Can be repeated. No step is skipped because something an earlier one needed is gone.
 */
export async function eraseCustomer(customer: string): Promise<void> {
  const every = stripe().subscriptions.list({ customer, status: 'all', limit: 100 });
  for await (const { id, status } of everyItem(every)) {
    if (status !== 'canceled' && status !== 'incomplete_expired') await cancelSubscription(id);
  }
  const personal = { email: '', name: '', phone: '', description: '', address: '', shipping: '' } as const;
  await requestIfPresent(stripe().customers.update(customer, { ...personal, metadata: '' }));
  await requestIfPresent(stripe().customers.del(customer));
}

/** Returns the customer of a charge. */
export async function customerOfCharge(id: string): Promise<string | null> {
  const { customer } = await requestStripe(stripe().charges.retrieve(id));
  return customer && idOf(customer);
}

/** Returns events since `since` (Unix seconds), newest first. Stripe keeps them for 30 days. */
export const listEvents = (types: string[], since: number): AsyncIterable<Stripe.Event> =>
  everyItem(stripe().events.list({ types, created: { gte: since }, limit: 100 }));

/** Stripe's own tolerance for a signature's timestamp, applied here in both directions. Seconds. */
const TOLERANCE = 300;

/**
 * Verifies a webhook's signature on the raw body, checks its timestamp against the clock, and returns the event.
 * https://docs.stripe.com/webhooks#verify-manually
 * @param now in milliseconds
 * @throws AppError `bad_request` if it's forged, altered, older than 300 s, or from the future; `billing_off`
 */
export function verifyWebhook(body: Buffer, signature: string | null, now = Date.now()): Stripe.Event {
  const { webhook } = secrets();
  const refuse = (cause?: unknown) =>
    new AppError('bad_request', { message: 'This isn’t a webhook from Stripe.', cause });
  const seconds = Math.floor(now / 1000);
  const times = (signature ?? '')
    .split(',')
    .flatMap((part) => (part.startsWith('t=') ? [part.slice(2)] : []));
  const [time] = times;
  if (!signature || times.length !== 1 || !(Number(time) <= seconds + TOLERANCE)) throw refuse();
  try {
    return Stripe.webhooks.constructEvent(body, signature, webhook, TOLERANCE, undefined, now);
  } catch (error) {
    throw refuse(error);
  }
}
