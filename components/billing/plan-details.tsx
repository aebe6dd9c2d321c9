import type { ResponseBody } from '@/lib/api/shared/client';
import { formatBytes, formatDuration, formatSpan } from '@/lib/billing/plans/shared/format';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import type { Pace } from '@/lib/journal/entries/pace';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import { HoursByYear } from './hours-by-year';
import { LimitRow } from './limit-row';
import { describeStorageLeft, describeTimeLeft, describeUse, describeVideosLeft } from './limit-sentences';
import { UpgradePlan } from './upgrade-plan';

type Details = ResponseBody<'GET /plan_details'>;

/** From this share on, a limit is close. */
const CLOSE = 0.8;

const count = (value: number) => value.toLocaleString('en-US');

/** Says in two sentences what's recorded and what's left, and shows the years that it comes from. */
export function PlanSummary({ details, pace }: { details: Details; pace: Pace }) {
  const { currentPlan, timeUse, timeLimit } = details;
  const [used, left] = describeUse(currentPlan, timeUse, timeLimit);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <h2 className="text-16 font-medium text-ink-2">Plan Details</h2>
        <p className="heading text-[27px] leading-[1.22]! text-balance lg:text-[33px]">
          {used} <span className="lg:block">{left}</span>
        </p>
      </div>
      <HoursByYear years={pace.years} limit={timeLimit} />
    </div>
  );
}

/** Shows how much of each limit is used and what that means. The one that fills up first stands out once it's close. */
export function PlanLimits({ details, pace, today }: { details: Details; pace: Pace; today: CalendarDate }) {
  const { storageUse, storageLimit, videoCount, videoCountLimit, timeUse, timeLimit } = details;
  const shares = [videoCount / videoCountLimit, timeUse / timeLimit, storageUse / storageLimit];
  const highest = Math.max(...shares);
  const isClose = (index: number) => highest >= CLOSE && shares.indexOf(highest) === index;
  return (
    <dl className="flex flex-col">
      <LimitRow
        name="Videos"
        use={videoCount}
        limit={videoCountLimit}
        shown={`${count(videoCount)} of ${count(videoCountLimit)}`}
        isClose={isClose(0)}
      >
        {describeVideosLeft(videoCountLimit - videoCount, pace.recent, today)}
      </LimitRow>
      <LimitRow
        name="Duration"
        use={timeUse}
        limit={timeLimit}
        shown={`${formatSpan(timeUse)} of ${formatSpan(timeLimit)}`}
        exact={`${formatDuration(timeUse)} of ${formatDuration(timeLimit)}`}
        isClose={isClose(1)}
      >
        {describeTimeLeft(timeLimit - timeUse, pace.recent)}
      </LimitRow>
      <LimitRow
        name="Storage"
        use={storageUse}
        limit={storageLimit}
        shown={`${formatBytes(storageUse)} of ${formatBytes(storageLimit)}`}
        isClose={isClose(2)}
      >
        {describeStorageLeft(storageLimit - storageUse)}
      </LimitRow>
    </dl>
  );
}

/** Returns what the next plan has, in a sentence; null for the largest. */
function describeNext(current: PlanType): string | null {
  const next = PLAN_TYPES[PLAN_TYPES.indexOf(current) + 1];
  if (!next) return null;
  const { videos, seconds, bytes, price } = PLAN_LIMITS[next];
  return `${next} has space for ${count(videos)} videos, ${count(seconds / 3600)} hours, and ${bytes / 1e9} GB for $${price} a month.`;
}

/**
 * Shows the current plan and, if it can be changed, what it costs and what the next one has.
 * @param explanation where a plan comes from that can't be changed
 * @param choose the plan that somebody came to pay for
 */
export function CurrentPlan({
  current,
  explanation,
  choose,
}: {
  current: PlanType;
  explanation: string | undefined;
  choose: PlanType | undefined;
}) {
  const text = explanation ?? describeNext(current);
  return (
    <div className="grid gap-x-8 gap-y-4 border-t border-line pt-6 lg:grid-cols-[200px_minmax(0,1fr)_auto] lg:items-center">
      <div className="flex flex-col gap-1">
        <p className="text-15 text-ink-2">Current plan</p>
        <p className="flex items-baseline gap-2.5">
          <span className="heading text-[26px]">{current}</span>
          {explanation === undefined && (
            <span className="text-16 text-ink-2">${PLAN_LIMITS[current].price} a month</span>
          )}
        </p>
      </div>
      <p className="text-15 text-pretty text-ink-2">{text}</p>
      {explanation === undefined && (
        <div>
          <UpgradePlan choose={choose} />
        </div>
      )}
    </div>
  );
}
