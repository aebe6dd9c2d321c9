import { ChevronDown } from 'lucide';
import { Icon } from '@/components/ui/icon';
import { processors } from '@/lib/foundation/site';

/** @param charges whether there's anything to pay for */
function questions(charges: boolean): [question: string, answer: string][] {
  const payment: [string, string] = [
    'What if I stop paying?',
    'Nothing is deleted. If your journal holds more than the free plan, you can’t add videos until it fits or you pay again. You can still watch, read, edit, and export all of it.',
  ];
  return [
    [
      'Who can see my videos?',
      'You. They open for your account and for nobody else’s. There’s no public page, no share link, and no list of friends to get wrong.',
    ],
    ...(charges ? [payment] : []),
    [
      'Which languages does it understand?',
      processors().speech === 'built in'
        ? 'The speech recognition that comes with Daylight understands English. You can record in any language, but only English gets a transcript.'
        : 'This site uses a speech service that understands more than English. “Try it now” and words as you speak are in English only.',
    ],
    [
      'Does it work on a phone?',
      'Yes, in the browser: record, watch, and read. You can add it to your home screen, but there’s nothing you need to install.',
    ],
    [
      'Can I bring videos I already have?',
      'Yes. Choose files or whole folders, or import from Google Photos or Day One. Each video goes to the day it was recorded.',
    ],
    [
      'What happens when I delete something?',
      'An entry stays in your trash for up to 30 days, or you delete it forever right away. Then its video, words, and notes are erased. Your whole account is erased seven days after you ask, and you get a signed receipt.',
    ],
    [
      'Can I use it offline?',
      'Yes, once you’ve opened it on your device. You can record without a connection, and the recording is uploaded later. Entries that you keep on the device play and can be read and corrected there.',
    ],
  ];
}

/** Answers what people ask before they sign up. @param charges whether there's anything to pay for */
export function Questions({ charges }: { charges: boolean }) {
  return (
    <section aria-labelledby="questions" className="grid gap-x-16 gap-y-6 lg:grid-cols-[1fr_2fr]">
      <h2 id="questions" className="heading heading-page">
        Questions
      </h2>
      <div className="divide-y divide-line border-y border-line">
        {questions(charges).map(([question, answer]) => (
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
