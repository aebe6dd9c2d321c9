import { z } from 'zod';
import { operation } from '@/lib/contract/operation';

export const startCheckout = operation({
  method: 'POST',
  path: '/checkout/session',
  summary: 'Get the URL of a page to buy a plan or confirm a plan change.',
  access: 'verified',
  body: z.object({ planId: z.enum(['free', 'basic', 'standard'], 'Choose one of the plans.') }),
  response: z.object({ checkoutUrl: z.url() }),
  errors: ['validation_failed', 'conflict', 'billing_off'],
});

export const customerPortal = operation({
  method: 'GET',
  path: '/customer/portal',
  summary: 'Get the URL of the customer portal, for invoices, the card, and the plan.',
  access: 'verified',
  response: z.object({ customerPortalUrl: z.url() }),
  errors: ['billing_off'],
});
