import { UpgradePlan } from '@/components/plans/upgrade-plan';
import { ButtonLink } from '@/components/ui/button';
import type { Entry } from '@/lib/entries/contract';
import { formatDuration } from '@/lib/plans/format';
import type { HeldVideoOptions } from '@/lib/plans/held-videos';
import { DeleteButton } from './delete-entry';

function resolutionText({ upgrade, deleting, secondsOver }: HeldVideoOptions): string {
  if (secondsOver <= 0) return 'It fits now. We’ll start processing it within a minute.';
  const ways = [
    upgrade && `upgrade to ${upgrade}`,
    deleting && `delete ${formatDuration(Math.ceil(secondsOver))} of other videos`,
  ].filter(Boolean);
  if (ways.length === 0) return 'That’s more than the whole plan holds.';
  return `To process it, ${ways.join(', or ')}.`;
}

/** Takes the player's place while a video is over the plan's time limit: says why and what to do about it. */
export function HeldVideo({ entry, wayOut }: { entry: Entry; wayOut: HeldVideoOptions }) {
  const { plan, canChangePlan, secondsLeft } = wayOut;
  const left = Math.floor(secondsLeft);
  return (
    <div className="flex flex-col items-start gap-5 rounded-18 border border-line bg-surface p-6">
      <div role="status" className="max-w-prose">
        <h2 className="text-17 font-semibold">{entry.videoError}</h2>
        <p className="mt-1 text-ink-2">
          Your upload is saved. It’s {formatDuration(Math.ceil(entry.duration ?? 0))} long, and your {plan}{' '}
          plan has {left > 0 ? formatDuration(left) : 'no time'} left. {resolutionText(wayOut)}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {canChangePlan && <UpgradePlan />}
        <ButtonLink variant="secondary" href="/settings?tab=plan">
          View your plan
        </ButtonLink>
        <DeleteButton id={entry.id} title={entry.title} />
      </div>
    </div>
  );
}
