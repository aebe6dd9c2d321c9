import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const startCheckout: Route<typeof contract.startCheckout> = {
  method: 'POST',
  path: '/checkout/session',
};

export const customerPortal: Route<typeof contract.customerPortal> = {
  method: 'GET',
  path: '/customer/portal',
};
