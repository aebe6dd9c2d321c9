import type { BillingStatus } from '@/lib/billing/service';
import type { ResponseBody } from '@/lib/contract/client';
import type { planDetails } from '@/lib/plans/contract';
import { formatBytes, formatDuration } from '@/lib/plans/format';
import type { PlanType } from '@/lib/plans/limits';
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

function PlanNotices({ current, outlook }: { current: PlanType; outlook: BillingStatus }) {
  const { scheduledChange, unpaidUntil } = outlook;
  return (
    <>
      {unpaidUntil && (
        <p role="status" className="rounded-12 border border-warn p-3 text-15 text-warn">
          Your last payment failed. You’ll keep your {current} plan until {formatDay(unpaidUntil)}. To keep it
          after that, update your card under Billing + Invoicing.
        </p>
      )}
      {scheduledChange && (
        <p role="status" className="rounded-12 border border-line-strong p-3 text-15">
          Your plan changes to {scheduledChange.plan} on {formatDay(scheduledChange.at)}. Nothing changes
          until then.
        </p>
      )}
    </>
  );
}

/**
 * Shows the current plan, how much of it is used, and any upcoming change.
 * @param bought the plan that was just paid for, which appears once Stripe confirms the payment
 */
export function PlanDetails({
  details,
  outlook,
  bought,
}: {
  details: Details;
  outlook: BillingStatus;
  bought?: string | undefined;
}) {
  const { currentPlan, storageUse, storageLimit, videoCount, videoCountLimit, timeUse, timeLimit } = details;
  const count = (value: number) => value.toLocaleString('en-US');
  return (
    <div className="flex flex-col gap-5">
      <PlanPoller bought={bought} current={currentPlan} />
      <PlanNotices current={currentPlan} outlook={outlook} />
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
      <div>
        <UpgradePlan />
      </div>
    </div>
  );
}
