import type { Metadata } from 'next';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { CurrentPlan, PlanLimits, PlanSummary } from '@/components/billing/plan-details';
import { PlanNotices } from '@/components/billing/plan-notices';
import { currentTimeZone } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';
import { type PlanSource, planDetails, planSource } from '@/lib/billing/plans/service';
import { PLAN_TYPES } from '@/lib/billing/plans/shared/limits';
import { getBillingStatus } from '@/lib/billing/subscriptions/service';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { readPace } from '@/lib/journal/entries/pace';

export const metadata: Metadata = { title: SETTINGS_PAGES.plan };

/** Why a plan that doesn't come from a subscription costs nothing. */
const EXPLANATIONS: Record<PlanSource, string | undefined> = {
  subscription: undefined,
  operator: 'The site’s administrator gave you this plan, so you don’t pay for it.',
  site: 'This site doesn’t charge, so you have this plan for free.',
};

/** In the address, `bought` is the plan that was just paid for, `choose` the one that somebody came to pay for. */
export default async function PlanPage({ searchParams }: PageProps<'/settings/plan'>) {
  const user = await requireUser();
  const { bought, choose } = await searchParams;
  const today = todayIn(await currentTimeZone());
  const [details, source, outlook, pace] = await Promise.all([
    planDetails(user.id),
    planSource(user.id),
    getBillingStatus(user.id),
    readPace(user.id, today),
  ]);
  const { currentPlan } = details;
  return (
    <section className="flex flex-col gap-7">
      <PlanSummary details={details} pace={pace} />
      <div className="flex flex-col gap-4 empty:hidden">
        <PlanNotices
          current={currentPlan}
          source={source}
          outlook={outlook}
          bought={PLAN_TYPES.find((plan) => plan === bought)}
        />
      </div>
      <div>
        <PlanLimits details={details} pace={pace} today={today} />
        <CurrentPlan
          current={currentPlan}
          explanation={EXPLANATIONS[source]}
          choose={PLAN_TYPES.find((plan) => plan === choose)}
        />
      </div>
    </section>
  );
}
