import { ChevronRight } from 'lucide';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { entryHref } from '@/components/journal/entries/entry-href';
import { yearsAgo } from '@/components/journal/entries/number-words';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import type { Answer, DayQuestion as Asked } from '@/lib/journal/memories/questions';
import { LazyQuestion } from './lazy-parts';

/** Quotes an answer, and leads to it. */
function Answered({ answer: { entry, words, language }, children }: { answer: Answer; children: ReactNode }) {
  const start = words[0]?.start_time ?? 0;
  return (
    <figure className="flex flex-col items-start gap-1">
      {words.length > 0 && (
        <blockquote
          dir="auto"
          lang={language ?? undefined}
          className="line-clamp-4 border-l-2 border-accent pl-4 font-serif text-17/[1.55] text-pretty rtl:border-r-2 rtl:border-l-0 rtl:pr-4 rtl:pl-0"
        >
          {words.map(({ word }) => word).join(' ')}
        </blockquote>
      )}
      <figcaption className="max-w-full text-15 text-ink-2">
        <Link
          href={start > 0 ? `${entryHref(entry)}?t=${start}` : entryHref(entry)}
          prefetch={false}
          className="inline-flex min-h-11 max-w-full items-center gap-1 font-semibold text-accent-ink underline-offset-4 hover:underline"
        >
          {children}
          <Icon of={ChevronRight} className="size-4 shrink-0 rtl:rotate-180" aria-hidden="true" />
        </Link>
      </figcaption>
    </figure>
  );
}

/** Says what the day's question was answered with, or asks it, beside what it was answered with in an earlier year. */
export function DayQuestion({
  asked: { question, answer, earlier },
  today,
  part,
}: {
  asked: Asked;
  today: CalendarDate;
  /** Whose question it is: `Today’s` or `Tonight’s`. */
  part: string;
}) {
  const before = earlier && (
    <Answered answer={earlier}>
      <span>Your answer {yearsAgo(today.year - earlier.entry.date.year)}</span>
    </Answered>
  );
  if (!answer)
    return (
      <LazyQuestion first={question} label={`${part} question`}>
        {before}
      </LazyQuestion>
    );
  return (
    <section aria-label="Today’s answer" className="flex flex-col gap-4">
      <p className="text-15 font-semibold text-ink-2">You answered today’s question</p>
      <p dir="auto" className="heading text-[27px] leading-[1.2]! text-pretty sm:text-[30px]">
        {question}
      </p>
      <Answered answer={answer}>
        <bdi className="min-w-0 truncate">{answer.entry.title}</bdi>
      </Answered>
      {before}
      <div>
        <ButtonLink href="/upload" variant="secondary">
          Record another entry
        </ButtonLink>
      </div>
    </section>
  );
}
