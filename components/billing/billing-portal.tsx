'use client';

import { Button } from '@/components/ui/button';
import { call } from '@/lib/api/shared/client';
import { useLeave } from './use-leave';

const findPortal = async () => (await call('GET /customer/portal')).customerPortalUrl;

/** A button that opens Stripe's customer portal, with invoices, the card, and cancellation. */
export function BillingPortal() {
  const { isLeaving, leave } = useLeave();
  return (
    <Button busy={isLeaving} onClick={() => void leave(findPortal)}>
      Billing + Invoicing Portal
    </Button>
  );
}
