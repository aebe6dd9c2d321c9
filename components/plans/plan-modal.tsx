'use client';

import { useEffect, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { errorMessage } from '@/components/ui/error-message';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';
import { PLAN_TYPES } from '@/lib/plans/limits';
import { type Plan, PlanCard } from './plan-card';

/** The three plans to choose from. A choice leads to the page where it is paid or confirmed. */
export function PlanModal({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [plans, setPlans] = useState<Plan[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);

  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    api<{ plans: Plan[] }>('GET', '/plans', { signal: stop.signal })
      .then((answer) => setPlans(answer.plans))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        // biome-ignore lint/suspicious/noConsole: that the plans could not be loaded is to be logged only
        console.error('Error fetching plans:', error);
      });
    return () => stop.abort();
  }, [open]);

  // A page that the browser has kept must not be busy for ever when one comes back to it.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && setChosen(null);
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  }, []);

  async function choose(plan: Plan) {
    setChosen(plan.id);
    try {
      const body = { planId: plan.id };
      const { checkoutUrl } = await api<{ checkoutUrl: string }>('POST', '/checkout/session', { body });
      window.location.assign(checkoutUrl);
    } catch (error) {
      toast.error(errorMessage(error));
      setChosen(null);
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Plan Selection Modal" width="wide">
      <ul className="grid gap-4 md:grid-cols-3">
        {PLAN_TYPES.map((planType) => {
          const plan = plans.find((one) => one.planType === planType);
          const busy = chosen !== null && chosen === plan?.id;
          return <PlanCard key={planType} planType={planType} plan={plan} busy={busy} onChoose={choose} />;
        })}
      </ul>
    </Dialog>
  );
}
