import { DurationBadge } from '@/components/journal/entries/duration-badge';
import { SAMPLE_HREF } from '@/components/journal/sample/sample';
import { SamplePicture } from '@/components/journal/sample/sample-picture';
import { ButtonLink } from '@/components/ui/button';
import { RemoveSample } from './remove-sample';

/** The sample entry, as the empty journal shows it. */
export interface Sample {
  title: string;
  /** Seconds. */
  duration: number;
}

/** Shows a sample entry to explore or remove. Its link covers all of it but “Remove sample”. */
export function SampleCard({ title, duration, onRemoved }: Sample & { onRemoved: () => void }) {
  return (
    <section
      aria-labelledby="sample-title"
      className="group relative grid gap-x-8 gap-y-5 border-t border-line pt-8 sm:grid-cols-2 sm:items-center lg:gap-x-0"
    >
      <div className="relative overflow-hidden rounded-12 lg:mr-10 bg-sunken shadow-sm ring-1 ring-line transition-shadow duration-120 group-hover:shadow-lg">
        {/* On a wide screen it's in view as soon as the page is, and a lazy picture would only start loading then. */}
        <SamplePicture loading="eager" className="block aspect-video w-full object-cover" />
        <div className="absolute inset-x-2 bottom-2 flex">
          <DurationBadge seconds={duration} />
        </div>
      </div>
      <div className="flex flex-col items-start gap-5 lg:pl-10">
        <div className="flex flex-col gap-2">
          <p className="text-14 font-semibold text-ink-2">Sample entry</p>
          <h2 id="sample-title" className="heading text-[24px]/[1.25]">
            {title}
          </h2>
          <p className="max-w-[44ch] text-16 text-pretty text-ink-2">
            This is what an entry looks like: a video and its words. Select a word to play from there. It
            isn’t part of your journal.
          </p>
        </div>
        <div className="flex flex-wrap gap-x-2 gap-y-3">
          <ButtonLink
            href={SAMPLE_HREF}
            variant="secondary"
            className="after:absolute after:inset-0 after:rounded-12"
          >
            Explore the sample
          </ButtonLink>
          <RemoveSample onRemoved={onRemoved} />
        </div>
      </div>
    </section>
  );
}
