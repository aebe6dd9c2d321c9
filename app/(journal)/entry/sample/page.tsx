import type { Metadata } from 'next';
import { RemoveSample } from '@/components/home/onboarding/remove-sample';
import sample from '@/components/journal/sample/sample.json';
import { SamplePlayer } from '@/components/journal/sample/sample-player';
import { ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { currentTimeZone } from '@/lib/account/preferences/current';
import { dismissedSteps } from '@/lib/account/profile/service';
import { requireUser } from '@/lib/account/sessions/guards';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { promptOfDay, studioHref } from '@/lib/journal/shared/prompts';

export const metadata: Metadata = { title: 'Sample entry' };

/** Plays the sample entry, which is no entry of anyone's. Anyone signed in may see it, also after removing it. */
export default async function SamplePage() {
  const user = await requireUser();
  const [dismissed, zone] = await Promise.all([dismissedSteps(user.id), currentTimeZone()]);
  const today = toIso(todayIn(zone));
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-6 py-8 sm:py-11">
      <div className="flex flex-col gap-2">
        <p className="text-14 font-semibold text-ink-2">Sample entry</p>
        <PageHeading lead="This is a sample. It isn’t part of your journal. Select a word to play from there.">
          {sample.title}
        </PageHeading>
      </div>
      <SamplePlayer title={sample.title} words={sample.words} />
      <div className="flex flex-wrap items-center gap-x-1 gap-y-3">
        <ButtonLink href={studioHref(promptOfDay(today))} size="lg">
          Record your first entry
        </ButtonLink>
        {!dismissed.includes('sample') && <RemoveSample />}
      </div>
    </div>
  );
}
