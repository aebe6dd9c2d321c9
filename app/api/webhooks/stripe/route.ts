import { z } from 'zod';
import { readBytes } from '@/lib/api/body';
import { WEBHOOK_LIMIT } from '@/lib/api/body-limits';
import { endpoint } from '@/lib/api/endpoint';
import { receiveWebhook } from '@/lib/billing/subscriptions/events';
import { AppError } from '@/lib/foundation/contract/errors';
import { operation } from '@/lib/foundation/contract/operation';

/** Beside the API of the browser, and therefore in no contract of it: only Stripe calls this. */
const stripeWebhook = operation({
  method: 'POST',
  path: '/webhooks/stripe',
  summary: 'Receive a Stripe event',
  description: 'The signature over the raw body shows that Stripe sent it.',
  access: 'public',
  response: z.object({ received: z.literal(true) }),
  errors: ['bad_request', 'too_large', 'billing_off'],
});

export const POST = endpoint(stripeWebhook, async ({ request }) => {
  const signature = request.headers.get('stripe-signature');
  if (!signature) throw new AppError('bad_request');
  await receiveWebhook(await readBytes(request, WEBHOOK_LIMIT), signature);
  return { received: true as const };
});
