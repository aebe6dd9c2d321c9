'use client';

import { Check } from 'lucide';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { call, type ResponseBody } from '@/lib/api/shared/client';
import { formatBytes, formatDuration } from '@/lib/billing/plans/shared/format';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { useLeave } from './use-leave';

type Plan = ResponseBody<'GET /plans'>['plans'][number];

function features(planType: PlanType): string[] {
  const { videos, bytes, seconds } = PLAN_LIMITS[planType];
  return [
    `${videos.toLocaleString('en-US')} videos`,
    `${formatBytes(bytes)} of storage`,
    `${formatDuration(seconds)} of video`,
    'Transcripts and search',
    'Captions',
    'Full export',
  ];
}

function planButtonOf(plan: Plan | undefined): { label: string; disabled: boolean } {
  if (plan?.isCurrentPlan) return { label: 'Current Plan', disabled: true };
  if (plan?.isLowerTier && plan.canDowngrade) return { label: 'Downgrade', disabled: false };
  if (plan?.isLowerTier) return { label: 'Unavailable', disabled: true };
  return { label: 'Buy Now', disabled: !plan };
}

const findCheckout = async ({ id }: Plan) =>
  (await call('POST /checkout/session', { body: { planId: id } })).checkoutUrl;

/** A plan with its price, its limits, and the button for its current state. */
function PlanCard({
  planType,
  plan,
  focused,
}: {
  planType: PlanType;
  /** Undefined until it has loaded. */
  plan: Plan | undefined;
  /** Whether its button gets the focus, once it can be pressed. */
  focused: boolean;
}) {
  const [nameId, reasonId] = [useId(), useId()];
  const button = useRef<HTMLButtonElement>(null);
  const { isLeaving, leave } = useLeave();
  const { label, disabled } = planButtonOf(plan);
  const takesFocus = focused && !disabled;
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  const reason = plan?.cantDowngradeReason;
  return (
    <li
      className={`flex flex-col gap-4 rounded-18 border p-5 ${plan?.isCurrentPlan ? 'border-accent' : 'border-line'}`}
    >
      <h3 id={nameId} className="text-17 font-semibold">
        {planType}
      </h3>
      <p className="heading text-[28px] tabular-nums">${PLAN_LIMITS[planType].price}/month</p>
      <ul className="flex grow flex-col gap-1.5 text-15 text-ink-2">
        {features(planType).map((feature) => (
          <li key={feature} className="flex gap-2">
            <Icon of={Check} className="mt-[3px] size-4 shrink-0 text-ok" aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {reason && (
        <p id={reasonId} className="text-14 text-warn">
          {reason}
        </p>
      )}
      <Button
        ref={button}
        variant={label === 'Buy Now' ? 'primary' : 'secondary'}
        busy={isLeaving}
        aria-describedby={reason ? `${nameId} ${reasonId}` : nameId}
        aria-disabled={disabled || undefined}
        className={disabled ? 'opacity-55' : ''}
        onClick={() => plan && !disabled && leave(() => findCheckout(plan))}
      >
        {label}
      </Button>
    </li>
  );
}

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
  choose: PlanType | undefined;
}) {
  const [plans, setPlans] = useState<Plan[]>([]);

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

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Plan Selection Modal" width="wide">
      <ul className="grid gap-4 md:grid-cols-3">
        {PLAN_TYPES.map((planType) => (
          <PlanCard
            key={planType}
            planType={planType}
            plan={plans.find((plan) => plan.planType === planType)}
            focused={planType === choose}
          />
        ))}
      </ul>
    </Dialog>
  );
}
