'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { usePageRestored } from '@/components/ui/use-page-restored';
import { call } from '@/lib/api/shared/client';

/** A button that opens Stripe's customer portal, with invoices, the card, and cancellation. */
export function BillingPortal() {
  const [leaving, setLeaving] = useState(false);
  usePageRestored(() => setLeaving(false));

  async function leave() {
    setLeaving(true);
    try {
      const { customerPortalUrl } = await call('GET /customer/portal');
      window.location.assign(customerPortalUrl);
    } catch (error) {
      showError(error);
      setLeaving(false);
    }
  }

  return (
    <Button busy={leaving} onClick={() => void leave()}>
      Billing + Invoicing Portal
    </Button>
  );
}
