'use client';

import { useEffect, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { showError } from '@/components/ui/show-error';
import { usePageRestored } from '@/components/ui/use-page-restored';
import { call } from '@/lib/api/shared/client';
import { PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { type Plan, PlanCard } from './plan-card';

/**
 * Lets people choose one of the three plans, then goes to the page where it's paid for or confirmed.
 * @param choose the plan whose button gets the focus
 */
export function PlanModal({
  open,
  onOpenChange,
  choose,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  choose?: PlanType | undefined;
}) {
  const [plans, setPlans] = useState<Plan[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);

  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    call('GET /plans', { signal: stop.signal })
      .then((answer) => setPlans(answer.plans))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        // biome-ignore lint/suspicious/noConsole: a failure to load the plans is only logged (specification, 8)
        console.error('Error fetching plans:', error);
      });
    return () => stop.abort();
  }, [open]);

  usePageRestored(() => setChosen(null));

  async function buy(plan: Plan) {
    setChosen(plan.id);
    try {
      const { checkoutUrl } = await call('POST /checkout/session', { body: { planId: plan.id } });
      window.location.assign(checkoutUrl);
    } catch (error) {
      showError(error);
      setChosen(null);
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Plan Selection Modal" width="wide">
      <ul className="grid gap-4 md:grid-cols-3">
        {PLAN_TYPES.map((planType) => {
          const plan = plans.find((one) => one.planType === planType);
          const busy = chosen !== null && chosen === plan?.id;
          return (
            <PlanCard
              key={planType}
              planType={planType}
              plan={plan}
              busy={busy}
              focused={planType === choose}
              onChoose={buy}
            />
          );
        })}
      </ul>
    </Dialog>
  );
}
