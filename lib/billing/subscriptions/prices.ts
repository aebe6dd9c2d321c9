import { createHash } from 'node:crypto';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import { idOf, portalConfiguration, readPrice } from '@/lib/clients/stripe';
import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

export type PaidPlan = Exclude<PlanType, 'Free'>;

/** Stripe's ids for what we sell as a plan. */
interface Offer {
  price: string;
  product: string;
}
export type Offers = Record<PaidPlan, Offer>;

async function readOffer(name: string): Promise<Offer> {
  const price = await readPrice(name);
  if (!price) throw withSafeMessage(new Error(`Stripe has no price with the lookup key ${name}.`));
  return { price: price.id, product: idOf(price.product) };
}

/** How long until a replaced price is noticed, in milliseconds. */
const CACHE_MS = 600_000;

let cachedOffers: { offers: Promise<Offers>; readAt: number } | undefined;

async function readOffers(): Promise<Offers> {
  const { STRIPE_PRICE_BASIC, STRIPE_PRICE_STANDARD } = env();
  const [Basic, Standard] = await Promise.all([
    readOffer(STRIPE_PRICE_BASIC),
    readOffer(STRIPE_PRICE_STANDARD),
  ]);
  return { Basic, Standard };
}

/** Returns what's on sale now, read from Stripe and cached for ten minutes. */
export function currentOffers(): Promise<Offers> {
  if (cachedOffers && Date.now() - cachedOffers.readAt < CACHE_MS) return cachedOffers.offers;
  const offers = readOffers();
  cachedOffers = { offers, readAt: Date.now() };
  offers.catch((error: unknown) => {
    log.error({ err: error }, 'the prices could not be read from Stripe');
    cachedOffers = undefined;
  });
  return offers;
}

/**
 * Returns which plan a price belongs to. An older price of the same product is still that plan, so existing
 * subscribers keep it.
 * @returns null if the price isn't ours
 */
export function planOfPrice(offers: Offers, price: { id: string; product: string }): PaidPlan | null {
  for (const plan of ['Basic', 'Standard'] as const) {
    if (offers[plan].price === price.id || offers[plan].product === price.product) return plan;
  }
  return null;
}

/**
 * The portal's configuration: upgrades take effect right away and are prorated, and downgrades and cancellations take
 * effect when the period ends.
 */
export async function planPortalConfiguration(): Promise<string> {
  const offers = await currentOffers();
  const products = Object.values(offers).map(({ price, product }) => ({ product, prices: [price] }));
  const features = {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' as const },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price' as const],
      products,
      proration_behavior: 'always_invoice' as const,
      schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' as const }] },
    },
  };
  const mark = createHash('sha256').update(JSON.stringify(features)).digest('hex').slice(0, 32);
  return portalConfiguration(mark, features);
}
