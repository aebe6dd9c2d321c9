import { ChevronDown } from 'lucide';
import { Icon } from '@/components/ui/icon';

const QUESTIONS = [
  {
    question: 'Who can see my videos?',
    answer:
      'You. They open for your account and nobody else’s. There’s no public page, no share link, and no list of friends to get wrong.',
  },
  {
    question: 'Which languages does it understand?',
    answer:
      'The speech recognition that comes with Daylight understands English. You can record in any language, but only English gets a transcript.',
  },
  {
    question: 'Does it work on a phone?',
    answer: 'Yes, in the browser. Record, watch, and read anywhere. There’s nothing to install.',
  },
  {
    question: 'Can I bring videos I already have?',
    answer:
      'Yes. Choose files or whole folders, or import from Google Photos or Day One. Each video goes to the day it was recorded.',
  },
  {
    question: 'What if I want to leave?',
    answer:
      'Download everything as ordinary files, with a page that plays and searches it all without Daylight. Then delete your account.',
  },
];

/** Answers what people ask before they sign up. */
export function Questions() {
  return (
    <section aria-labelledby="questions" className="grid gap-x-16 gap-y-6 lg:grid-cols-[1fr_2fr]">
      <h2 id="questions" className="heading heading-page">
        Questions
      </h2>
      <div className="divide-y divide-line border-y border-line">
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question} className="group py-1">
            <summary className="flex min-h-13 list-none items-center justify-between gap-4 text-16 font-semibold [&::-webkit-details-marker]:hidden">
              {question}
              <Icon
                of={ChevronDown}
                className="size-5 shrink-0 text-ink-3 transition-transform duration-120 group-open:rotate-180"
                aria-hidden="true"
              />
            </summary>
            <p className="max-w-[60ch] pb-5 text-16 text-ink-2">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
