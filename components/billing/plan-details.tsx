import { Info } from 'lucide';
import { Icon } from '@/components/ui/icon';
import type { ResponseBody } from '@/lib/api/shared/client';
import { formatBytes, formatDuration, formatSpan } from '@/lib/billing/plans/shared/format';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import type { Pace } from '@/lib/journal/entries/pace';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import { HoursByYear } from './hours-by-year';
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
  const limits = [
    {
      name: 'Videos',
      use: videoCount,
      limit: videoCountLimit,
      shown: `${count(videoCount)} of ${count(videoCountLimit)}`,
      meaning: describeVideosLeft(videoCountLimit - videoCount, pace.recent, today),
    },
    {
      name: 'Duration',
      use: timeUse,
      limit: timeLimit,
      shown: `${formatSpan(timeUse)} of ${formatSpan(timeLimit)}`,
      exact: `${formatDuration(timeUse)} of ${formatDuration(timeLimit)}`,
      meaning: describeTimeLeft(timeLimit - timeUse, pace.recent),
    },
    {
      name: 'Storage',
      use: storageUse,
      limit: storageLimit,
      shown: `${formatBytes(storageUse)} of ${formatBytes(storageLimit)}`,
      meaning: describeStorageLeft(storageLimit - storageUse),
    },
  ];
  const shares = limits.map(({ use, limit }) => use / limit);
  const highest = Math.max(...shares);
  const close = highest >= CLOSE ? shares.indexOf(highest) : -1;
  return (
    <dl className="flex flex-col">
      {limits.map(({ name, use, limit, shown, exact, meaning }, index) => (
        <div
          key={name}
          className="grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5 border-t border-line py-5 lg:grid-cols-[200px_minmax(0,236px)_minmax(0,1fr)] lg:items-center lg:gap-y-0 lg:py-6"
        >
          <dt className="text-15 text-ink-2 max-lg:self-baseline">{name}</dt>
          <dd className="flex flex-col text-right max-lg:self-baseline lg:row-start-2 lg:text-left">
            <span className="text-17 font-semibold tabular-nums">{shown}</span>
            {exact && <span className="text-14 text-ink-3 tabular-nums">{exact}</span>}
          </dd>
          <dd className="col-span-2 lg:col-span-1 lg:row-span-2 lg:row-start-1">
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
                className={`h-full rounded-pill ${index === close || use >= limit ? 'bg-warn' : 'bg-accent'}`}
                style={{ width: `${Math.min(100, (use / limit) * 100)}%` }}
              />
            </div>
          </dd>
          <dd
            className={`col-span-2 flex gap-2 text-15 text-pretty lg:col-span-1 lg:row-span-2 lg:row-start-1 ${index === close ? 'font-medium text-warn' : 'text-ink-2'}`}
          >
            {index === close && (
              <Icon of={Info} aria-hidden="true" width={18} height={18} className="mt-0.5 shrink-0" />
            )}
            <span>{meaning}</span>
          </dd>
        </div>
      ))}
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
