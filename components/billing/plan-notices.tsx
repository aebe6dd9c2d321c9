import type { ReactNode } from 'react';
import type { PlanSource } from '@/lib/billing/plans/service';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import type { BillingStatus } from '@/lib/billing/subscriptions/service';
import { PlanPoller } from './plan-poller';

const formatDay = (date: Date): string =>
  date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function Notice({ warning = false, children }: { warning?: boolean; children: ReactNode }) {
  const tone = warning ? 'border-warn text-warn' : 'border-line-strong';
  return (
    <p role="status" className={`rounded-12 border p-3 text-15 text-pretty ${tone}`}>
      {children}
    </p>
  );
}

/** Says what a subscription still costs someone whose plan doesn't come from it. */
function SubscriptionNotice({ current, outlook }: { current: PlanType; outlook: BillingStatus }) {
  const { scheduledChange, subscribedTo, unpaidUntil } = outlook;
  if (!subscribedTo) return null;
  if (scheduledChange?.plan === 'Free') {
    return (
      <Notice>
        Your {subscribedTo} subscription ends on {formatDay(scheduledChange.at)}. You’ll keep your {current}{' '}
        plan.
      </Notice>
    );
  }
  return (
    <Notice warning={unpaidUntil !== null}>
      {unpaidUntil
        ? `The last payment for your ${subscribedTo} subscription failed.`
        : `You’re still paying for a ${subscribedTo} subscription.`}{' '}
      You can cancel it under Billing + Invoicing and keep your {current} plan.
    </Notice>
  );
}

/**
 * Says what's about to change about the plan, or about a subscription that isn't needed.
 * @param bought the plan that was just paid for, which appears once Stripe confirms the payment
 */
export function PlanNotices({
  current,
  source,
  outlook,
  bought,
}: {
  current: PlanType;
  source: PlanSource;
  outlook: BillingStatus;
  bought: string | undefined;
}) {
  const { scheduledChange, unpaidUntil } = outlook;
  if (source !== 'subscription') return <SubscriptionNotice current={current} outlook={outlook} />;
  return (
    <>
      <PlanPoller bought={bought} current={current} />
      {unpaidUntil && (
        <Notice warning>
          Your last payment failed. You’ll keep your {current} plan until {formatDay(unpaidUntil)}. To keep it
          after that, update your card under Billing + Invoicing.
        </Notice>
      )}
      {scheduledChange && (
        <Notice>
          Your plan changes to {scheduledChange.plan} on {formatDay(scheduledChange.at)}. Nothing changes
          until then.
        </Notice>
      )}
    </>
  );
}
