import type { Metadata } from 'next';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { BillingPortal } from '@/components/billing/billing-portal';
import { Section } from '@/components/ui/section';
import { requireUser } from '@/lib/account/sessions/guards';
import { sitePlan } from '@/lib/billing/plans/service';

export const metadata: Metadata = { title: SETTINGS_PAGES.billing };

export default async function BillingPage() {
  await requireUser();
  if (sitePlan()) {
    return (
      <Section
        title="Billing + Invoicing"
        lead="This site doesn’t charge, so there are no invoices and no card to keep up to date."
      />
    );
  }
  return (
    <Section
      title="Billing + Invoicing"
      lead="Stripe handles our payments. Open the portal to see invoices, update your card, or change your plan. We never see your card number."
    >
      <div>
        <BillingPortal />
      </div>
    </Section>
  );
}
