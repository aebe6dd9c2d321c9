import { UpgradePlan } from '@/components/billing/upgrade-plan';
import { ButtonLink } from '@/components/ui/button';
import type { HeldVideoOptions } from '@/lib/billing/plans/held-videos';
import type { Entry } from '@/lib/journal/entries/contract';
import { DeleteButton } from './delete-entry';
import { describeHeldVideo } from './held-video-text';

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
