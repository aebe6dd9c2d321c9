import { Check } from 'lucide';
import { useEffect, useId, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { ResponseBody } from '@/lib/api/shared/client';
import { formatBytes, formatDuration } from '@/lib/billing/plans/shared/format';
import { PLAN_LIMITS, type PlanType } from '@/lib/billing/plans/shared/limits';

export type Plan = ResponseBody<'GET /plans'>['plans'][number];

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

type PlanButton = { label: string; disabled: boolean };

function planButtonOf(plan: Plan | undefined): PlanButton {
  if (plan?.isCurrentPlan) return { label: 'Current Plan', disabled: true };
  if (plan?.isLowerTier && plan.canDowngrade) return { label: 'Downgrade', disabled: false };
  if (plan?.isLowerTier) return { label: 'Unavailable', disabled: true };
  return { label: 'Buy Now', disabled: !plan };
}

/** A plan with its price, its limits, and the button for its current state. */
export function PlanCard({
  planType,
  plan,
  busy,
  focused,
  onChoose,
}: {
  planType: PlanType;
  /** Undefined until it has loaded. */
  plan: Plan | undefined;
  busy: boolean;
  /** Whether its button gets the focus, once it can be pressed. */
  focused: boolean;
  onChoose: (plan: Plan) => void;
}) {
  const [nameId, reasonId] = [useId(), useId()];
  const button = useRef<HTMLButtonElement>(null);
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
        busy={busy}
        aria-describedby={reason ? `${nameId} ${reasonId}` : nameId}
        aria-disabled={disabled || undefined}
        className={disabled ? 'opacity-55' : ''}
        onClick={() => plan && !disabled && onChoose(plan)}
      >
        {label}
      </Button>
    </li>
  );
}
