import { z } from 'zod';
import { operation } from '@/lib/foundation/contract/operation';

export const startCheckout = operation({
  method: 'POST',
  path: '/checkout/session',
  summary: 'Start a plan change',
  description:
    'Returns the URL of a page to buy a plan, or to confirm a change if the account already has a subscription. The plan changes once the payment provider confirms it.',
  access: 'verified',
  body: z.object({
    planId: z.enum(['free', 'basic', 'standard'], 'Choose one of the plans.').meta({ example: 'basic' }),
  }),
  response: z.object({
    checkoutUrl: z.url().meta({ example: 'https://checkout.stripe.com/c/pay/cs_a1B2c3' }),
  }),
  errors: ['validation_failed', 'conflict', 'billing_off'],
});

export const customerPortal = operation({
  method: 'GET',
  path: '/customer/portal',
  summary: 'Open the billing portal',
  description: 'Returns the URL of a page with the account’s invoices, card, and plan.',
  access: 'verified',
  response: z.object({
    customerPortalUrl: z.url().meta({ example: 'https://billing.stripe.com/p/session/a1B2c3' }),
  }),
  errors: ['billing_off'],
});
