import { UpgradePlan } from '@/components/billing/upgrade-plan';
import { ButtonLink } from '@/components/ui/button';
import type { HeldVideoOptions } from '@/lib/billing/plans/held-videos';
import { formatDuration } from '@/lib/billing/plans/shared/format';
import { PLAN_LIMITS, PLAN_TYPES } from '@/lib/billing/plans/shared/limits';
import type { Entry } from '@/lib/journal/entries/contract';
import { DeleteButton } from './delete-entry';

/** What to do about a video that's longer than all that its owner's plan could hold. */
function describeTooLong({ plan, canChangePlan }: HeldVideoOptions): string {
  const isLargest = plan === PLAN_TYPES.at(-1);
  return isLargest || canChangePlan
    ? 'Upload it in shorter parts instead.'
    : 'Ask the site’s administrator for a larger plan, or upload it in shorter parts.';
}

/** Returns why a video is held, and what its owner can do. @param seconds its length */
export function describeHeldVideo(seconds: number, options: HeldVideoOptions): string {
  const { plan, upgrade, deleting, secondsLeft, secondsOver } = options;
  const long = `Your upload is saved. It’s ${formatDuration(Math.ceil(seconds))} long`;
  if (secondsOver > 0 && !upgrade && !deleting) {
    const whole = formatDuration(PLAN_LIMITS[plan].seconds);
    return `${long}, and your ${plan} plan holds ${whole} in all. ${describeTooLong(options)}`;
  }
  const left = Math.floor(secondsLeft);
  const facts = `${long}, and your ${plan} plan has ${left > 0 ? formatDuration(left) : 'no time'} left.`;
  if (secondsOver <= 0) return `${facts} It fits now. We’ll start processing it within two minutes.`;
  const ways = [
    upgrade && `upgrade to ${upgrade}`,
    deleting && `delete ${formatDuration(Math.ceil(secondsOver))} of other videos`,
  ].filter(Boolean);
  return `${facts} To process it, ${ways.join(', or ')}.`;
}

/** Takes the player's place while a video is over the plan's time limit: says why and what to do about it. */
export function HeldVideo({ entry, options }: { entry: Entry; options: HeldVideoOptions }) {
  return (
    <div className="flex flex-col items-start gap-5 rounded-18 border border-line bg-surface p-6">
      <div role="status" className="max-w-prose">
        <h2 className="text-17 font-semibold">{entry.videoError}</h2>
        <p className="mt-1 text-ink-2">{describeHeldVideo(entry.duration ?? 0, options)}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {options.canChangePlan && <UpgradePlan />}
        <ButtonLink variant="secondary" href="/settings/plan">
          View your plan
        </ButtonLink>
        <DeleteButton id={entry.id} title={entry.title} />
      </div>
    </div>
  );
}
