import { z } from 'zod';
import { takeWebhook } from '@/lib/billing/events';
import { readBytes } from '@/lib/http/body';
import { WEBHOOK_LIMIT } from '@/lib/http/body-limits';
import { endpoint } from '@/lib/http/endpoint';
import { AppError } from '@/lib/http/errors';
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

export const POST = endpoint(stripeWebhook, async ({ request }) => {
  const signature = request.headers.get('stripe-signature');
  if (!signature) throw new AppError('bad_request');
  await takeWebhook(await readBytes(request, WEBHOOK_LIMIT), signature);
  return { received: true as const };
});
