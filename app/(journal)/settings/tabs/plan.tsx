import { PlanDetails } from '@/components/plans/plan-details';
import { Section } from '@/components/settings/section';
import { planOutlook } from '@/lib/billing/service';
import { PLAN_TYPES } from '@/lib/plans/limits';
import { planDetails } from '@/lib/plans/service';
import type { User } from '@/lib/sessions/service';

export async function PlanTab({ user, bought }: { user: User; bought?: string | undefined }) {
  const [details, outlook] = await Promise.all([planDetails(user.id), planOutlook(user.id)]);
  return (
    <Section
      title="Plan Details"
      lead="What your library holds now. Deleting entries frees their room at once."
    >
      <PlanDetails details={details} outlook={outlook} bought={PLAN_TYPES.find((plan) => plan === bought)} />
    </Section>
  );
}
