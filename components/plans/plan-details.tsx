import type { ReactNode } from 'react';
import type { BillingStatus } from '@/lib/billing/service';
import type { ResponseBody } from '@/lib/contract/client';
import type { planDetails } from '@/lib/plans/contract';
import { formatBytes, formatDuration } from '@/lib/plans/format';
import type { PlanType } from '@/lib/plans/limits';
import type { PlanSource } from '@/lib/plans/service';
import { PlanPoller } from './plan-poller';
import { UpgradePlan } from './upgrade-plan';

type Details = ResponseBody<typeof planDetails>;

function Meter({ name, use, limit, shown }: { name: string; use: number; limit: number; shown: string }) {
  const full = use >= limit;
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-1.5 py-3">
      <dt className="text-15 text-ink-2">{name}</dt>
      <dd className="text-15 font-semibold tabular-nums">{shown}</dd>
      <dd className="w-full">
        {/* biome-ignore lint/a11y/useSemanticElements: a meter element looks different in every browser */}
        <div
          role="meter"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(use, limit)}
          aria-valuetext={shown}
          className="h-2 overflow-hidden rounded-pill bg-line"
        >
          <div
            className={`h-full rounded-pill ${full ? 'bg-warn' : 'bg-accent'}`}
            style={{ width: `${Math.min(100, (use / limit) * 100)}%` }}
          />
        </div>
      </dd>
    </div>
  );
}

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

function PlanNotices({ current, outlook }: { current: PlanType; outlook: BillingStatus }) {
  const { scheduledChange, unpaidUntil } = outlook;
  return (
    <>
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
 * Shows the current plan, how much of it is used, and any upcoming change. It can be changed only if it comes from a
 * subscription.
 * @param bought the plan that was just paid for, which appears once Stripe confirms the payment
 */
export function PlanDetails({
  details,
  source,
  outlook,
  bought,
}: {
  details: Details;
  source: PlanSource;
  outlook: BillingStatus;
  bought?: string | undefined;
}) {
  const { currentPlan, storageUse, storageLimit, videoCount, videoCountLimit, timeUse, timeLimit } = details;
  const count = (value: number) => value.toLocaleString('en-US');
  return (
    <div className="flex flex-col gap-5">
      {source === 'subscription' ? (
        <>
          <PlanPoller bought={bought} current={currentPlan} />
          <PlanNotices current={currentPlan} outlook={outlook} />
        </>
      ) : (
        <SubscriptionNotice current={currentPlan} outlook={outlook} />
      )}
      <dl className="flex flex-col">
        <div className="flex flex-wrap justify-between gap-x-6 py-3">
          <dt className="text-15 text-ink-2">Current plan</dt>
          <dd className="text-15 font-semibold">{currentPlan}</dd>
        </div>
        <Meter
          name="Storage"
          use={storageUse}
          limit={storageLimit}
          shown={`${formatBytes(storageUse)} of ${formatBytes(storageLimit)}`}
        />
        <Meter
          name="Videos"
          use={videoCount}
          limit={videoCountLimit}
          shown={`${count(videoCount)} of ${count(videoCountLimit)}`}
        />
        <Meter
          name="Duration"
          use={timeUse}
          limit={timeLimit}
          shown={`${formatDuration(timeUse)} of ${formatDuration(timeLimit)}`}
        />
      </dl>
      {source === 'subscription' && (
        <div>
          <UpgradePlan />
        </div>
      )}
    </div>
  );
}
