import { Shuffle } from 'lucide';
import Link from 'next/link';
import { type ReactNode, useRef, useState } from 'react';
import { DurationBadge } from '@/components/journal/entries/duration-badge';
import { SAMPLE_HREF } from '@/components/journal/sample/sample';
import { SamplePicture } from '@/components/journal/sample/sample-picture';
import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { showError } from '@/components/ui/show-error';
import type { OnboardingStep } from '@/lib/account/profile/contract';
import { call } from '@/lib/api/shared/client';
import { nextPrompt, studioHref } from '@/lib/journal/shared/prompts';
import type { Reminder } from '@/lib/reminders/contract';
import { ReminderStep } from './reminder-offer';
import { RemoveSample } from './remove-sample';

/** Shows a sample entry to explore or remove. Its link covers all of it but “Remove sample”. */
function SampleCard({
  title,
  duration,
  onRemoved,
}: {
  title: string;
  duration: number;
  onRemoved: () => void;
}) {
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

type Step = Exclude<OnboardingStep, 'sample'>;

interface InvitationProps {
  /** Today: `Wednesday` and `November 25`. */
  weekday: string;
  date: string;
  question: string;
  /** Null once it's removed. Its duration is in seconds. */
  sample: { title: string; duration: number } | null;
  /** The steps to offer, in their order. */
  steps: readonly Step[];
  reminder: Reminder;
  /** The browser's time zone as the server knows it. */
  zone: string | undefined;
  /** Whether words are recognized by the built-in engine, rather than by a service. */
  isBuiltIn: boolean;
}

/** Invites to a first entry with a question, and offers a sample entry and a few steps that may be left out. */
export function Invitation(props: InvitationProps) {
  /** The question that was chosen instead of today's. */
  const [chosen, setChosen] = useState<string>();
  const question = chosen ?? props.question;
  const [steps, setSteps] = useState(props.steps);
  const heading = useRef<HTMLHeadingElement>(null);

  function dismissStep(step: Step) {
    // If that fails, it's only gone from this page.
    call('POST /onboarding/dismiss', { body: { step } }).catch(showError);
    setSteps((shown) => shown.filter((one) => one !== step));
    heading.current?.focus();
  }

  const contents: Record<Step, { title: string; content: ReactNode }> = {
    question: {
      title: 'A first question',
      content: (
        <>
          <p className="text-15 text-ink-2">A question is a place to start. You don’t have to answer it.</p>
          <Button size="sm" variant="secondary" onClick={() => setChosen(nextPrompt(question))}>
            <Icon of={Shuffle} className="size-4" aria-hidden="true" />
            Another question
          </Button>
        </>
      ),
    },
    reminder: {
      title: 'A reminder',
      content: (
        <>
          <p className="text-15 text-ink-2">
            An email with a question, once a day. You won’t get one on days you’ve already recorded.
          </p>
          <ReminderStep reminder={props.reminder} zone={props.zone} />
        </>
      ),
    },
    words: {
      title: 'Where words come from',
      content: (
        <p className="max-w-[60ch] text-15 text-ink-2">
          {props.isBuiltIn
            ? 'Daylight’s own engine writes down what you say, on the servers that run this site. No outside speech service hears it. It understands English only.'
            : 'A speech service chosen by the site’s administrator transcribes what you say. It receives the audio of your videos.'}
        </p>
      ),
    },
  };
  return (
    <div className="flex flex-col gap-10">
      <section className="grid gap-8 lg:grid-cols-2 lg:gap-0">
        <div className="flex flex-col gap-3 lg:pr-10">
          <p className="text-16 text-ink-2">{props.weekday}</p>
          <p className="heading text-[clamp(36px,6vw,76px)]/[1]">{props.date}</p>
          <p className="mt-2 max-w-[40ch] text-16 text-pretty text-ink-2">
            Your journal is empty. Your first entry can be as short as 30 seconds.
          </p>
        </div>
        <div className="flex flex-col items-start gap-5 border-line lg:border-l lg:pl-10">
          <div className="flex flex-col gap-2">
            <p className="text-14 font-semibold text-ink-2">Today’s question</p>
            <h2
              ref={heading}
              tabIndex={-1}
              aria-live="polite"
              className="heading text-[27px]/[1.25] focus:outline-none sm:text-[30px]/[1.25]"
            >
              {question}
            </h2>
          </div>
          <ButtonLink href={studioHref(question)} size="lg">
            Record your first entry
          </ButtonLink>
          <Link
            href="/upload/import"
            prefetch={false}
            className="inline-flex min-h-11 items-center text-15 font-semibold text-accent-ink underline underline-offset-4"
          >
            Import videos you already have
          </Link>
        </div>
      </section>
      {props.sample && <SampleCard {...props.sample} onRemoved={() => heading.current?.focus()} />}
      {steps.length > 0 && (
        <section aria-labelledby="first-steps" className="flex flex-col gap-4">
          <h2 id="first-steps" className="heading text-[24px]">
            Optional first steps
          </h2>
          <ul className="flex flex-col border-b border-line">
            {steps.map((step) => (
              <li
                key={step}
                className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-8 gap-y-2 border-t border-line py-5 sm:grid-cols-[200px_minmax(0,1fr)_auto]"
              >
                <h3 className="text-16 font-semibold">{contents[step].title}</h3>
                <div className="flex min-w-0 flex-col items-start gap-3 max-sm:col-span-2 max-sm:row-start-2">
                  {contents[step].content}
                </div>
                <Button
                  size="sm"
                  variant="ghost"
                  className="-mt-2.5 -mr-3.5 self-start max-sm:col-start-2 max-sm:row-start-1"
                  aria-label={`Not now: ${contents[step].title}`}
                  onClick={() => dismissStep(step)}
                >
                  Not now
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
