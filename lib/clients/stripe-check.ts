import Stripe from 'stripe';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { readPrice } from './stripe';

const { errors } = Stripe;

async function findPriceProblem(setting: string, price: string): Promise<string | undefined> {
  try {
    const found = await readPrice(price);
    if (found && found.active !== false) return undefined;
  } catch (error) {
    if (error instanceof errors.StripeAuthenticationError) {
      return 'Stripe rejected STRIPE_SECRET_KEY. Copy the key from Stripe’s dashboard again.';
    }
    if (error instanceof errors.StripePermissionError) {
      return 'STRIPE_SECRET_KEY doesn’t have permission to read prices. Add that permission to the key.';
    }
    if (error instanceof AppError) {
      const advice = env().STRIPE_API_BASE
        ? 'Start it, or fix STRIPE_API_BASE.'
        : 'Check this server’s internet connection.';
      return `Stripe isn’t responding. ${advice}`;
    }
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
  }
  return `Stripe has no active price “${price}”. Create it, or set ${setting} to the id or lookup key of an active price.`;
}

/** Returns why plans couldn't be paid for, in sentences for the operator. */
export async function findPaymentProblems(): Promise<string[]> {
  const { STRIPE_PRICE_BASIC, STRIPE_PRICE_STANDARD } = env();
  const found = await Promise.all([
    findPriceProblem('STRIPE_PRICE_BASIC', STRIPE_PRICE_BASIC),
    findPriceProblem('STRIPE_PRICE_STANDARD', STRIPE_PRICE_STANDARD),
  ]);
  return [...new Set(found.filter((problem) => problem !== undefined))];
}
