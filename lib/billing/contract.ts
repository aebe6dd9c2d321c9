import { z } from 'zod';
import { operation } from '@/lib/contract/operation';

export const startCheckout = operation({
  method: 'POST',
  path: '/checkout/session',
  summary: 'Where to buy a plan, or to confirm a change of plan.',
  access: 'verified',
  body: z.object({ planId: z.enum(['free', 'basic', 'standard'], 'Please choose one of the plans.') }),
  response: z.object({ checkoutUrl: z.url() }),
  errors: ['validation_failed', 'conflict'],
});

export const customerPortal = operation({
  method: 'GET',
  path: '/customer/portal',
  summary: 'Where to see invoices, and to change the card or the plan.',
  access: 'verified',
  response: z.object({ customerPortalUrl: z.url() }),
  errors: [],
});
