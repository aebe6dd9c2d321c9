import { z } from 'zod';
import { takeWebhook } from '@/lib/billing/events';
import { readBytes } from '@/lib/http/body';
import { endpoint } from '@/lib/http/endpoint';
import { operation } from '@/lib/http/operation';

/** Beside the API of the browser, and therefore in no contract of it: only Stripe calls this. */
const stripeWebhook = operation({
  method: 'POST',
  path: '/webhooks/stripe',
  summary: 'An event of Stripe, signed on its raw body.',
  access: 'public',
  answer: z.object({ received: z.literal(true) }),
  errors: ['bad_request', 'too_large'],
});

const LARGEST = 1_000_000;

export const POST = endpoint(stripeWebhook, async ({ request }) => {
  const body = await readBytes(request, LARGEST);
  await takeWebhook(body, request.headers.get('stripe-signature'));
  return { received: true as const };
});
