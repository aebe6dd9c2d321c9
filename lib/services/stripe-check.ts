import Stripe from 'stripe';
import { AppError } from '@/lib/contract/errors';
import { env } from '@/lib/env';
import { readPrice } from './stripe';

const { errors } = Stripe;

async function findPriceProblem(setting: string, price: string): Promise<string | undefined> {
  try {
    const found = await readPrice(price);
    if (found && found.active !== false) return undefined;
  } catch (error) {
    if (error instanceof errors.StripeAuthenticationError) {
      return 'Stripe refuses STRIPE_SECRET_KEY. Copy the key from its dashboard again.';
    }
    if (error instanceof errors.StripePermissionError) {
      return 'STRIPE_SECRET_KEY may not read prices. Give the key more permissions.';
    }
    if (error instanceof AppError) {
      const advice = env().STRIPE_API_BASE ? ' Start it, or correct STRIPE_API_BASE.' : '';
      return `Stripe doesn’t answer.${advice}`;
    }
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
  }
  return `Stripe has no active price “${price}”. Create it, or set ${setting} to its id or lookup key.`;
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
