import { BillingPortal } from '@/components/billing/billing-portal';
import { Section } from '@/components/settings/section';

export function BillingTab() {
  return (
    <Section
      title="Billing + Invoicing"
      lead="Invoices, your card, and changes of your plan are on a page of Stripe, who handles our payments. Your card’s number never reaches us."
    >
      <div>
        <BillingPortal />
      </div>
    </Section>
  );
}
