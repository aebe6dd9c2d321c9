'use client';

import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { errorMessage } from '@/components/ui/error-message';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';

/** The button that leads to Stripe's customer portal: invoices, card, and the plan's end. */
export function BillingPortal() {
  const [leaving, setLeaving] = useState(false);

  // A page that the browser has kept must not be busy for ever when one comes back to it.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  }, []);

  async function leave() {
    setLeaving(true);
    try {
      const { customerPortalUrl } = await api<{ customerPortalUrl: string }>('GET', '/customer/portal');
      window.location.assign(customerPortalUrl);
    } catch (error) {
      toast.error(errorMessage(error));
      setLeaving(false);
    }
  }

  return (
    <Button busy={leaving} onClick={() => void leave()}>
      Billing + Invoicing Portal
    </Button>
  );
}
