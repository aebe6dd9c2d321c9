import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestStripe, TEST_SECRET_KEY } from '@/local/stripe/test-server';
import { useFreshDatabase } from '@/test/app-database';
import { findPaymentProblems } from './stripe-check';

let stripe: Awaited<ReturnType<typeof startTestStripe>>;
let end: () => Promise<void>;
beforeAll(async () => {
  stripe = await startTestStripe();
  end = await useFreshDatabase({
    settings: {
      STRIPE_SECRET_KEY: TEST_SECRET_KEY,
      STRIPE_API_BASE: stripe.url(),
      STRIPE_PRICE_STANDARD: 'nothing',
    },
  });
});
afterAll(async () => {
  await end();
  await stripe.end();
});

it('names the price that Stripe doesn’t have, and not the one that it has', async () => {
  expect(await findPaymentProblems()).toEqual([
    'Stripe has no active price “nothing”. Create it, or set STRIPE_PRICE_STANDARD to the id or lookup key of an active price.',
  ]);
});
