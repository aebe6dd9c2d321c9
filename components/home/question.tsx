import { Shuffle, Video } from 'lucide';
import { useState } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { Icon } from '@/components/ui/icon';
import { nextPrompt, studioHref } from '@/lib/journal/shared/prompts';

/** Asks a question, and leads to the studio with it. @param children what belongs to the first one */
export function Question({ first, label, children }: { first: string; label: string; children?: Elements }) {
  const [question, setQuestion] = useState(first);
  return (
    <section aria-label={label} className="flex flex-col justify-center gap-4">
      <p className="text-15 font-semibold text-ink-2">{label}</p>
      <p
        dir="auto"
        aria-live="polite"
        className="heading text-[27px] leading-[1.2]! text-pretty sm:text-[30px]"
      >
        {question}
      </p>
      {question === first && children}
      <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-2 max-sm:flex-col max-sm:items-stretch">
        <ButtonLink href={studioHref(question)} size="lg">
          <Icon of={Video} className="size-5" aria-hidden="true" />
          Record an answer
        </ButtonLink>
        <Button variant="ghost" onClick={() => setQuestion(nextPrompt(question))}>
          <Icon of={Shuffle} className="size-4.5" aria-hidden="true" />
          Another question
        </Button>
      </div>
    </section>
  );
}
