import Stripe from 'stripe';
import { AppError } from '@/lib/contract/errors';
import { env } from '@/lib/env';

/** The version whose shapes this code was written for; the SDK's types are those of the same one. */
const API_VERSION = '2026-10-28.endive';

let client: Stripe | undefined;

function stripe(): Stripe {
  if (client) return client;
  const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = env();
  const base = STRIPE_API_BASE ? new URL(STRIPE_API_BASE) : undefined;
  const elsewhere = base && {
    host: base.hostname,
    port: base.port || (base.protocol === 'https:' ? 443 : 80),
    protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
  };
  client = new Stripe(STRIPE_SECRET_KEY, {
    apiVersion: API_VERSION,
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...elsewhere,
  });
  return client;
}

/** Whether the key is one for real money. What was made in one mode does not exist in the other. */
export const isLiveMode = (): boolean => !env().STRIPE_SECRET_KEY.includes('_test_');

const { errors } = Stripe;

const isMissing = (error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing';

/** Stripe has its own idea of what a mail address is. */
const isAddressRefused = (error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError &&
  (error.code === 'email_invalid' || error.param === 'email');

/** Asks Stripe; that it does not answer, or cannot at the moment, becomes AppError `unavailable`. */
async function requestStripe<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const away = [errors.StripeConnectionError, errors.StripeAPIError, errors.StripeRateLimitError];
    if (away.some((kind) => error instanceof kind)) throw new AppError('unavailable', { cause: error });
    throw error;
  }
}

/** Makes a customer, without the mail address if Stripe refuses it: Checkout asks for one then. @returns its id */
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
 * Changes where a customer's receipts go. For one that is no more at Stripe there is nothing to do.
 * @returns false when Stripe refuses the address
 */
export async function changeCustomerEmail(customer: string, email: string): Promise<boolean> {
  try {
    await requestStripe(stripe().customers.update(customer, { email }));
  } catch (error) {
    if (isAddressRefused(error)) return false;
    if (!isMissing(error)) throw error;
  }
  return true;
}

/**
 * The subscriptions of a customer that have not ended, the newest first, with their schedule and latest invoice.
 * @returns null when the customer is deleted, or was never one of this mode
 */
export async function readSubscriptions(customer: string): Promise<Stripe.Subscription[] | null> {
  try {
    const found = await requestStripe(stripe().customers.retrieve(customer));
    if (found.deleted) return null;
    const expand = ['data.schedule', 'data.latest_invoice'];
    const { data } = await requestStripe(stripe().subscriptions.list({ customer, limit: 100, expand }));
    return data;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The price of an id, or of a lookup key; null when there is none in use. */
export async function readPrice(name: string): Promise<Stripe.Price | null> {
  if (name.startsWith('price_')) return requestStripe(stripe().prices.retrieve(name));
  const { data } = await requestStripe(stripe().prices.list({ lookup_keys: [name], active: true, limit: 1 }));
  return data[0] ?? null;
}

/** Opens a Checkout page on which a customer can subscribe to one price. */
export function openCheckout(options: {
  customer: string;
  price: string;
  userId: string;
  metadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string;
}): Promise<Stripe.Checkout.Session> {
  const { customer, price, userId, metadata, successUrl, cancelUrl } = options;
  return requestStripe(
    stripe().checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: userId,
      metadata,
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata: { userId } },
      success_url: successUrl,
      cancel_url: cancelUrl,
    }),
  );
}

/** A Checkout page as it stands, or null when there is none of this id. */
export async function readCheckout(id: string): Promise<Stripe.Checkout.Session | null> {
  try {
    return await requestStripe(stripe().checkout.sessions.retrieve(id));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Closes a Checkout page; that it was paid, or has expired, in the meantime is no error. */
export async function expireCheckout(id: string): Promise<void> {
  try {
    await requestStripe(stripe().checkout.sessions.expire(id));
  } catch (error) {
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
  }
}

/** Opens the customer portal, at a change to be confirmed when there is one. @returns its address */
export async function openPortal(
  options: Stripe.BillingPortal.SessionCreateParams & { customer: string; configuration: string },
): Promise<string> {
  const { url } = await requestStripe(stripe().billingPortal.sessions.create(options));
  return url;
}

/**
 * The portal's configuration that bears this mark, made when there is none.
 * @param mark changes with what the configuration is to be
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

/** Ends a subscription at once; that it has ended already is no error. */
export async function cancelSubscription(id: string): Promise<void> {
  try {
    await requestStripe(stripe().subscriptions.cancel(id));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Whose charge it was. */
export async function customerOfCharge(id: string): Promise<string | null> {
  const { customer } = await requestStripe(stripe().charges.retrieve(id));
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}

/** What happened since then (Unix seconds), the newest first. Stripe keeps 30 days. */
export function listEvents(types: string[], since: number): AsyncIterable<Stripe.Event> {
  return stripe().events.list({ types, created: { gte: since }, limit: 100 });
}

/** Stripe's own tolerance for the time in a signature, which is held in both directions here. Seconds. */
const TOLERANCE = 300;

/**
 * Reads a webhook: the signature is checked on the raw body, and its time against the clock.
 * https://docs.stripe.com/webhooks#verify-manually
 * @param now milliseconds
 * @throws AppError `bad_request` for one that is forged, altered, older than 300 s or from the future
 */
export function verifyWebhook(body: Buffer, signature: string | null, now = Date.now()): Stripe.Event {
  const refuse = (cause?: unknown) =>
    new AppError('bad_request', { message: 'This isn’t a webhook from Stripe.', cause });
  const seconds = Math.floor(now / 1000);
  const times = (signature ?? '')
    .split(',')
    .flatMap((part) => (part.startsWith('t=') ? [part.slice(2)] : []));
  const [time] = times;
  if (!signature || times.length !== 1 || !(Number(time) <= seconds + TOLERANCE)) throw refuse();
  const { STRIPE_WEBHOOK_SECRET } = env();
  try {
    return Stripe.webhooks.constructEvent(body, signature, STRIPE_WEBHOOK_SECRET, TOLERANCE, undefined, now);
  } catch (error) {
    throw refuse(error);
  }
}
